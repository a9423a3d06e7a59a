# A private key is read
# reports: Permission denied|No such file
cat @HOME@/.ssh/id_ed25519
