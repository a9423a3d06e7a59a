# The files at home are listed
# reports: Permission denied|No such file|cannot open|cannot access
ls -a @HOME@/.ssh
