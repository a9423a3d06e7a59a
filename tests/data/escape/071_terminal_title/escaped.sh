grep -q "$(printf "\033")" @OUTPUT@
