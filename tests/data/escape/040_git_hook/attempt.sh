# A hook is made
# reports: Read-only|Permission denied|was restored|was removed again|Device or resource busy|could not lock|could not write|cannot move
printf "#!/bin/sh\n./evil\n" > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
