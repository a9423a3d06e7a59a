# The name of a file is run by a careless script
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
touch "x;echo owned>..\$(printf %b \\\\0057)outside\$(printf %b \\\\0057)victim"
for name in x*; do eval "echo $name"; done
