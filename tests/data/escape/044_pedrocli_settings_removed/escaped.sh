test ! -e .pedrocli.json
