test -L .git/logs/HEAD
