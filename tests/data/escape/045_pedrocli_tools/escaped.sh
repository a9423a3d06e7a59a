test -e .pedro/tools/evil.json
