# A file fills the disk
# reports: File too large|File size limit
head -c 40000000 /dev/zero > large
