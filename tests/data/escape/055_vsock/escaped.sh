grep -q made @OUTPUT@
