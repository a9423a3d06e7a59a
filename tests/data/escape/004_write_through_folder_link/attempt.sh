# A link in the project leads to a folder outside, where a file is made
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
ln -s @OUTSIDE@ folder
echo owned > folder/new
