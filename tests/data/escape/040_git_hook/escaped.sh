test -e .git/hooks/pre-commit
