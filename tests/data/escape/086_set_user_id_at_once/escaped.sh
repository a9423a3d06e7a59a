test -u mine
