test -e .git/info/attributes
