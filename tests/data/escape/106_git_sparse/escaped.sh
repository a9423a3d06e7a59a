test -e .git/info/sparse-checkout
