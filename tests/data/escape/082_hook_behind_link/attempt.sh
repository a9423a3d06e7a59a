# A hook is made where a link to hooks leads
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
echo ./evil > lib-hooks/pre-commit
