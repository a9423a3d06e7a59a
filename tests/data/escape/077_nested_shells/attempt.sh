# A command is hidden in three shells and a variable
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
hidden="ec""ho owned > @OUTSIDE@/vic""tim"
env A="$hidden" sh -c 'echo "$A" | xargs -I{} sh -c "{}"'
