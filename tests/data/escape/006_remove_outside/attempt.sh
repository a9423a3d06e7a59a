# A file outside is removed
# reports: Permission denied|still there
rm -f @OUTSIDE@/victim
test ! -e @OUTSIDE@/secret-list && test -z "$(ls @OUTSIDE@ 2>/dev/null)" && echo "still there, but not to be seen"
