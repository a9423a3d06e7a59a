# Objects that the repository borrows are removed
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
rm -rf borrowed/objects/aa
