test -e @OUTSIDE@/new
