grep -q evil own/hooks/pre-commit
