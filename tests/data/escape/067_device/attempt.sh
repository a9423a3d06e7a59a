# A device is made
# reports: not permitted|Permission denied
# needs: root
mknod device c 1 3
