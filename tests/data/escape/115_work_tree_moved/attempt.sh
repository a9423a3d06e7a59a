# The project itself is moved away, and another takes its place
# reports: Read-only|Permission denied|cannot move|Device or resource busy
mv @TREE@ @TREE@2 && mkdir @TREE@ && touch @TREE@/evil
