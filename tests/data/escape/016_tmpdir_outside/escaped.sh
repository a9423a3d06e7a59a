ls @OUTSIDE@ | grep -q "^tmp\."
