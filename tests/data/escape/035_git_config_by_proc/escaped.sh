grep -q evil .git/config
