# A list says which files a checkout has
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p .git/info; echo evil > .git/info/sparse-checkout
