# A line is added to the shell profile at home
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory
echo "echo owned" >> @HOME@/.bashrc
