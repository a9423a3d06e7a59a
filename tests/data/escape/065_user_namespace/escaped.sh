grep -q ^made @OUTPUT@
