test -e .git/rebase-merge/git-rebase-todo
