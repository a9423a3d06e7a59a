# The same by git itself
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
git config core.fsmonitor ./evil
