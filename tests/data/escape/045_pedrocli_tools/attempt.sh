# A tool is added to the project's own
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mkdir -p .pedro/tools && echo "{}" > .pedro/tools/evil.json
