# The repositories of submodules are moved away, and copies with a setting of ours take their place
# reports: was restored|was removed again|Device or resource busy|cannot move|was moved back
mv .git/modules .git/moved && cp -r .git/moved .git/modules && echo "[core] fsmonitor = ./evil" > .git/modules/lib/config
