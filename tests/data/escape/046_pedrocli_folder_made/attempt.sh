# pedrocli's folder is made anew after a command moved it away
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
mv .pedro old && mkdir -p .pedro/prompts && echo owned > .pedro/prompts/system.md
