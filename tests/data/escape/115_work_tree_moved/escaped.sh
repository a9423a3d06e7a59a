test -e evil
