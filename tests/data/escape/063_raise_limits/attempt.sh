# A limit is taken off
# reports: Operation not permitted
ulimit -f unlimited; echo "limit: $(ulimit -f)"
