test -e .git/modules/linked/hooks/pre-commit
