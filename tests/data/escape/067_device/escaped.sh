test -c device
