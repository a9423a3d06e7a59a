# A submodule gets a hook
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
mkdir -p .git/modules/lib/hooks && echo ./evil > .git/modules/lib/hooks/post-checkout
