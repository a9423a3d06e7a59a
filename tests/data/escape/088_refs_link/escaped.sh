test -L .git/refs/heads
