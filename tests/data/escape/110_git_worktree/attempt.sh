# A work tree that is none is registered
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p .git/worktrees/evil; echo /evil > .git/worktrees/evil/gitdir
