grep -q ^opened @OUTPUT@
