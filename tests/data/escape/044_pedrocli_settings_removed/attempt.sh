# pedrocli's settings are removed
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
rm -f .pedrocli.json
