test ! -s .git/config
