grep -q taken @OUTPUT@
