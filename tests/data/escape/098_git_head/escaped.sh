grep -q evil .git/HEAD
