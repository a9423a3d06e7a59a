grep -q changed @OUTPUT@
