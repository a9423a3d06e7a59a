test ! -e own/hooks/pre-commit
