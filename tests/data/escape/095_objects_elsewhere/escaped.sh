test -e .git/objects/info/alternates
