# The folder above such hooks becomes a link
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
mkdir -p evil/hooks; echo ./evil > evil/hooks/pre-commit; mv own own2; rm -rf missing; ln -s evil own; ln -s evil missing
