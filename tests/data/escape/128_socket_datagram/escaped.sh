grep -q datagram @CONTACTS@
