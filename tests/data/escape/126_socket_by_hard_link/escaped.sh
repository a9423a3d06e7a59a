grep -q inside @CONTACTS@
