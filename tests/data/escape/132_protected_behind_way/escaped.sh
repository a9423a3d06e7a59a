grep -q evil way/hooks/pre-commit
