# A repository for a submodule is made
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p .git/modules/new/hooks; echo ./evil > .git/modules/new/hooks/post-checkout
