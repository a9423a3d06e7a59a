# A file outside is written through /proc/self/root
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
echo owned > /proc/self/root@OUTSIDE@/victim
