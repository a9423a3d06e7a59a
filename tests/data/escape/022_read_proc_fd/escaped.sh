grep -q @SECRET@ @OUTPUT@
