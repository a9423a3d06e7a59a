grep -q relative @CONTACTS@
