test -e .git/commondir
