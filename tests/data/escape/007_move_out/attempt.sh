# A file of the project is moved out of it
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cannot move
mv README @OUTSIDE@/README
