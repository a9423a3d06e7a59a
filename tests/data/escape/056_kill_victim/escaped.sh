! kill -0 @VICTIM@ 2>/dev/null || grep -q "State:.Z" /proc/@VICTIM@/status
