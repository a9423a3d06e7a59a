# The mode of a file outside is changed
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cannot access|Operation not permitted
# not: landlock (it does not know modes)
chmod 777 @OUTSIDE@/victim
