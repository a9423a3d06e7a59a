# The repository becomes a link to a folder outside, where what looks like a configuration is
# reports: was restored|was removed again|Device or resource busy|cannot move|was moved back
mv .git moved && ln -s @OUTSIDE@/.kube .git && echo owned > .git/config
