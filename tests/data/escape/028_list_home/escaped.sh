grep -q id_ed25519 @OUTPUT@
