test -e .git/reftable
