grep -q evil .pedrocli.json
