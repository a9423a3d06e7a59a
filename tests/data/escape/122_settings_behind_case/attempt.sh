# Settings are written by another name for the same file
# reports: cross-device|Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock
ln .pedrocli.json other; echo evil > other
