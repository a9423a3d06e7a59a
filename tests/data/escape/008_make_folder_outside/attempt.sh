# A folder is made outside
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
mkdir @OUTSIDE@/folder
