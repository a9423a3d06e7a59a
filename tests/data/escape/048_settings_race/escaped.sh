sleep 0.3; grep -q sandbox .pedrocli.json
