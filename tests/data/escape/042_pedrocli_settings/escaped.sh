grep -q off .pedrocli.json
