# A file is left in the /tmp of the machine
# reports: 
echo owned > /tmp/pedrocli-escape-@VICTIM@
