test -e .git/packed-refs
