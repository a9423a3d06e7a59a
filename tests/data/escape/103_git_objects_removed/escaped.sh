test ! -d .git/objects
