test -e .git/MERGE_HEAD
