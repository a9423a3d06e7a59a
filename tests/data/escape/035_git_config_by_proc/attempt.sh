# The same through /proc/self/cwd
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
echo "[core] fsmonitor = ./evil" >> /proc/self/cwd/.git/config
