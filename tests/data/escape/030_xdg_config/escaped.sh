test -e @HOME@/.config/git/config
