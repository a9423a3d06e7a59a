grep -qs evil own/hooks/pre-commit missing/hooks/pre-commit
