# A list of ignored files is made
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p .git/info; echo evil > .git/info/exclude
