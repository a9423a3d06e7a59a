test -f .git && grep -q evil-git .git
