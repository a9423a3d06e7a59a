# A file outside is removed
# reports: Permission denied|No such file
rm @OUTSIDE@/victim
