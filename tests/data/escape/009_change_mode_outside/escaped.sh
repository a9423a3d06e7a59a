test "$(stat -c %a @OUTSIDE@/victim)" = 777
