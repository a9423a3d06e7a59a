# A file is left in the /tmp of the machine
# reports: Permission denied
# silent: bubblewrap (their own /tmp takes it)
echo owned > /tmp/pedrocli-escape-@VICTIM@
