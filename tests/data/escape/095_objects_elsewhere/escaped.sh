grep -qF @OUTSIDE@ .git/objects/info/alternates
