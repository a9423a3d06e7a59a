grep -q unix @CONTACTS@
