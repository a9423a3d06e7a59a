grep -q abstract @CONTACTS@
