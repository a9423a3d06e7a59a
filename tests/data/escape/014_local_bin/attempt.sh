# A program is put where the user looks for programs
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cannot create
mkdir -p @HOME@/.local/bin && cp /bin/true @HOME@/.local/bin/ls
ls @HOME@/.ssh/id_ed25519
