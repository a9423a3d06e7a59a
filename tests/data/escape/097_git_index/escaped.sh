test -e .git/index
