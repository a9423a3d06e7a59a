# Every case: what it is, its bookings, what has to be printed.
failed=0

check() {
  printed=$(printf "$2" | build/bookings 2>&1)
  if [ "$printed" != "$3" ]; then
    printf 'FAILED %s\n  expected: %s\n  got:      %s\n' "$1" "$3" "$printed"
    failed=1
  fi
}

check "two at the same time clash" \
  'blue 10:00 11:30\nblue 11:00 12:00\n' \
  'blue: 10:00-11:30 (line 1) and 11:00-12:00 (line 2)'
check "other rooms are no clash" \
  'blue 10:00 11:30\ngreen 11:00 12:00\n' \
  ''
check "one within another clashes" \
  'blue 13:00 18:00\nblue 14:15 14:30\n' \
  'blue: 13:00-18:00 (line 1) and 14:15-14:30 (line 2)'
check "a line that is no booking is named" \
  'blue 10:00\n' \
  'bookings: line 1 is no booking: blue 10:00'

[ $failed = 0 ] && echo "all passed"
exit $failed
