# The repository of one submodule is moved away, and a copy with a setting of ours takes its place
# reports: was restored|was removed again|Device or resource busy|cannot move|was moved back
mv .git/modules/lib .git/moved && cp -r .git/moved .git/modules/lib && echo "[core] fsmonitor = ./evil" > .git/modules/lib/config
