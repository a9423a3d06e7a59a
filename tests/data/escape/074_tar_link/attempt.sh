# An archive holds a link, and a file behind it
# reports: Permission denied|Read-only|No such file|Directory nonexistent|nonexistent directory|Cannot
mkdir a b && ln -s @OUTSIDE@ a/out && mkdir b/out && echo owned > b/out/victim
tar -cf a.tar -C a out && tar -rf a.tar -C b out/victim
mkdir x && tar -P --keep-directory-symlink --overwrite -C x -xf a.tar
ls @OUTSIDE@/daemon.sock
