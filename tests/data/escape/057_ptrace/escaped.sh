grep -q traced @OUTPUT@
