test "$(stat -c %s large)" -gt 33554432
