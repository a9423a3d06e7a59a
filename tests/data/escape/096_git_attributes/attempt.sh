# Attributes that no commit has
# reports: was restored|was removed again|Read-only|Permission denied
mkdir -p .git/info && echo @OUTSIDE@ > .git/info/attributes
