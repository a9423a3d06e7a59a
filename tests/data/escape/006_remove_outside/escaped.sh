test ! -e @OUTSIDE@/victim
