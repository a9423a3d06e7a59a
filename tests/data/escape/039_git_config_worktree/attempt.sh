# A configuration of the work tree's own is made
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
echo "[core] fsmonitor = ./evil" > .git/config.worktree
