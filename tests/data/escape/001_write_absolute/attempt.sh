# A file outside is overwritten by its absolute path
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
echo owned > @OUTSIDE@/victim
