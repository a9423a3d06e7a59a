# A file leads git to another configuration of a submodule
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
mkdir evil && cp .git/modules/lib/config evil && echo ../../../evil > .git/modules/lib/commondir
