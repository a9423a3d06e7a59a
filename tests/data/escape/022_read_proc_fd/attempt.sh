# A key is read through a descriptor of another process
# reports: Permission denied|No such file
cat /proc/@VICTIM@/fd/7
