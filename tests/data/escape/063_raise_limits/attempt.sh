# A limit is taken off
# reports: 
ulimit -f unlimited; echo "limit: $(ulimit -f)"
