# The folder of hooks is moved away, and another takes its place
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mv .git/hooks moved && mkdir .git/hooks && echo ./evil > .git/hooks/pre-push
