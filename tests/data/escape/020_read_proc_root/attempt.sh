# A key is read through the root of another process
# reports: Permission denied|No such file
cat /proc/@VICTIM@/root@HOME@/.ssh/id_ed25519
