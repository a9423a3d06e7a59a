# HEAD names another branch
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
echo 'ref: refs/heads/evil' > .git/HEAD
