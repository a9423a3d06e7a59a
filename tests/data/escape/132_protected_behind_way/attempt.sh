# Hooks are made in the folder that a link on the way leads to
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
mkdir -p real/hooks; echo ./evil > real/hooks/pre-commit
