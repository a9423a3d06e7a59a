# Objects are taken from a folder that goes away
# reports: was restored|was removed again|Read-only|Permission denied
mkdir -p .git/objects/info && echo @OUTSIDE@ > .git/objects/info/alternates
