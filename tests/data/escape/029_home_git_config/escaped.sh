grep -q evil @HOME@/.gitconfig
