# A hook is a link into the project, and its missing target is made
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
echo ./evil > late-hook
