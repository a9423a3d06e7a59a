grep -q tcp @CONTACTS@
