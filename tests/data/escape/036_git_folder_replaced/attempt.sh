# The repository is moved away, and another takes its place
# reports: was moved back|Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mv .git moved && mkdir .git && echo "[core] fsmonitor = ./evil" > .git/config
