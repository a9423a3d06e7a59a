# A submodule's configuration gets a setting that runs a program
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove
echo "[core] fsmonitor = ./evil" >> .git/modules/lib/config
