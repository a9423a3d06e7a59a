test ! -e .git/HEAD
