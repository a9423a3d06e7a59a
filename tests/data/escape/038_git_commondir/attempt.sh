# A file leads git to another configuration
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mkdir -p evil && cp .git/config evil && echo ../evil > .git/commondir
