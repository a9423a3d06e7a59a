test -e .git/modules/lib/hooks/post-checkout
