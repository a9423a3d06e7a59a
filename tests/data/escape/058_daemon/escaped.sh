sleep 1.3; test -e alive
