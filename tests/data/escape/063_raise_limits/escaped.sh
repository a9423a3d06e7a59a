grep -q "limit: unlimited" @OUTPUT@
