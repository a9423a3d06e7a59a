# A link on the way to protected hooks is replaced
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
rm way; mkdir -p way/hooks; echo ./evil > way/hooks/pre-commit
