# The same where the folder is missing
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
mkdir -p missing/hooks; echo ./evil > missing/hooks/pre-commit
