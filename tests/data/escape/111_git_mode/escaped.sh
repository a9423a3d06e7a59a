test "$(stat -c %a .git/config)" = 777
