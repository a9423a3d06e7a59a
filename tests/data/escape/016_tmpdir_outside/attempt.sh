# TMPDIR names a folder outside
# reports: failed to create|Permission denied|No such file
TMPDIR=@OUTSIDE@ mktemp
