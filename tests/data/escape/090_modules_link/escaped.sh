! grep -q untouched @OUTSIDE@/lib/commondir
