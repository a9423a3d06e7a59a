# The folder above such hooks is moved away, and another takes its place
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mv own own2; mkdir -p own/hooks; echo ./evil > own/hooks/pre-commit
