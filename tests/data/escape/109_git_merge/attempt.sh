# A merge is left that the user would conclude
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
echo evil > .git/MERGE_HEAD
