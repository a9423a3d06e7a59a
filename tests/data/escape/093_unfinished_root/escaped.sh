grep -q "^root:" @OUTPUT@
