# A namespace with rights of its own is made
# reports: not permitted|failed
# not: bubblewrap (it does not filter system calls)
unshare -Ur echo made
