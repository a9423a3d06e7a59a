# A setting of the kernel is opened for writing
# reports: Permission denied|Read-only|cannot create
# needs: root
: >> /proc/sys/kernel/core_pattern && echo opened
