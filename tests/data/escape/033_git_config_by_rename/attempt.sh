# The same by a file that takes its place
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
echo "[core] fsmonitor = ./evil" > config
mv -f config .git/config
