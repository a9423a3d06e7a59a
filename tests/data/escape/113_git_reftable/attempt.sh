# References get another format
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir .git/reftable; echo evil > .git/reftable/tables.list
