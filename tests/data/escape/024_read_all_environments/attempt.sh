# The environments of all processes are searched
# reports: Permission denied|nothing found
cat /proc/[0-9]*/environ | tr "\0" "\n" | grep -a VICTIM_TOKEN || echo nothing found
