test -e .git/config.worktree
