test -e .git/worktrees/evil
