# A command in the background writes outside
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
(echo owned > @OUTSIDE@/victim) & wait
