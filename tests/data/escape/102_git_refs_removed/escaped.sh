test ! -d .git/refs
