test -e .git/hooks/pre-push
