test -d @OUTSIDE@/folder
