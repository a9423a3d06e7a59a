test -e missing/hooks/pre-commit
