# pedrocli's folder becomes a link
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
mkdir -p evil/prompts; mv .pedro old; ln -s evil .pedro
