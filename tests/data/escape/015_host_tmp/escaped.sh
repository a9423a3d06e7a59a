test -e /tmp/pedrocli-escape-@VICTIM@ && rm /tmp/pedrocli-escape-@VICTIM@
