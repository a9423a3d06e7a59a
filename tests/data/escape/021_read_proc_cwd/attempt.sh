# A key is read through the folder of another process
# reports: Permission denied|No such file
cat /proc/@VICTIM@/cwd/.ssh/id_ed25519
