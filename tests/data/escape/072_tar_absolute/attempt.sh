# An archive holds an absolute path
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|Cannot
echo owned > new
tar -P -cf a.tar --transform="s,new,@OUTSIDE@/victim," new
tar -P --overwrite -xf a.tar
ls @OUTSIDE@/daemon.sock
