grep -q udp @CONTACTS@
