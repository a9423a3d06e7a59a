# What only root may read is looked for where the root folder was put together
# reports: Permission denied|No such file
# needs: root
cat /etc/shadow; cd "$HOME"/.. && cat root/etc/shadow
