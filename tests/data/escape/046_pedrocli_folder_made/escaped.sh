test -e .pedro/prompts/system.md
