# A link in the project leads to a file outside, which is overwritten
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
ln -s @OUTSIDE@/victim link
echo owned > link
