# A program's configuration is written through XDG_CONFIG_HOME
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|cannot create
XDG_CONFIG_HOME=@HOME@/.config; mkdir -p $XDG_CONFIG_HOME/git && echo owned > $XDG_CONFIG_HOME/git/config
ls @HOME@/.ssh/id_ed25519
