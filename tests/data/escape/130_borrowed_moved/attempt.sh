# The folder of borrowed objects is moved
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move|cannot remove|cannot lock|File exists
mv borrowed elsewhere; mkdir -p borrowed/objects
