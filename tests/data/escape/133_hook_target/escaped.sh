grep -q evil .git/hooks/post-commit
