test -e .git/info/exclude
