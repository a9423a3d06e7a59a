test -e .git/modules/new
