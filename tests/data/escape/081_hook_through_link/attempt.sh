# A hook is made through a link to where hooks are
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
echo ./evil > .git/modules/linked/hooks/pre-commit
