# An archive holds a path that leads out
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|Cannot
echo owned > new
tar -P -cf a.tar --transform="s,new,../outside/victim," new
tar -P --overwrite -xf a.tar
ls @OUTSIDE@/daemon.sock
