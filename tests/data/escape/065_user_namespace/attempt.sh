# A namespace with rights of its own is made
# reports: not permitted|failed
unshare -Ur echo made
