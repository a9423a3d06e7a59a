# The same by a hard link to it
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cross-device
ln .git/config mine && echo "[core] fsmonitor = ./evil" >> mine
