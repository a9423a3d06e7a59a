grep -q opened @OUTPUT@
