# The history is cut off
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
echo evil > .git/shallow
