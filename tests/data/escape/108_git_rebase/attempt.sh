# A rebase is left that runs a program when the user continues it
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p .git/rebase-merge; echo "exec ./evil" > .git/rebase-merge/git-rebase-todo
