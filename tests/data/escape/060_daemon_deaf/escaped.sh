sleep 3.4; test -e alive
