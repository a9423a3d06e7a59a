# A key is read through /proc/self/root
# reports: Permission denied|No such file
cat /proc/self/root@HOME@/.ssh/id_ed25519
