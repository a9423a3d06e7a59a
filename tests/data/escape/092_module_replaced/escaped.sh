grep -q evil .git/modules/lib/config
