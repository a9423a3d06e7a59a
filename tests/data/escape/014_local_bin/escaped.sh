test -e @HOME@/.local/bin/ls
