test -e .git/modules/lib/commondir
