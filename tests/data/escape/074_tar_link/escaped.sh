! grep -q untouched @OUTSIDE@/victim
