# The environment of another process is read
# reports: Permission denied|No such file
cat /proc/@VICTIM@/environ
