# The repository is moved away, and a file leads git elsewhere
# reports: was moved back|Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mv .git moved && cp -r moved evil-git && echo "[core] fsmonitor = ./evil" >> evil-git/config && echo "gitdir: evil-git" > .git
