. ./lib/retry.sh
failed=0

sleep() { pauses=$((pauses + 1)); delay=$1; }

# exit_with STATUS...: returns the statuses one after the other; the last one again and again.
exit_with() {
  runs=$((runs + 1))
  [ "$runs" -gt $# ] && shift $(($# - 1)) || shift $((runs - 1))
  return "$1"
}

words() {
  runs=$((runs + 1))
  [ $# -eq 2 ] && [ "$1" = "two words" ] && [ "$2" = "*" ]
}

expect() {
  expected=$1
  shift
  runs=0 pauses=0 delay=none
  retry "$@" 2>/dev/null
  got="$? $runs $pauses"
  if [ "$got" != "$expected" ]; then
    echo "FAIL retry $*: expected status, runs, pauses: $expected; got $got"
    failed=1
  fi
}

expect "3 3 2" 3 exit_with 3
expect "7 1 0" 1 exit_with 7
expect "5 3 2" 3 exit_with 3 4 5
expect "0 2 1" 3 exit_with 3 0
expect "0 12 11" 12 exit_with 1 1 1 1 1 1 1 1 1 1 1 0
expect "0 1 0" 2 words "two words" "*"
expect "2 0 0" 0 exit_with 0
expect "2 0 0" -1 exit_with 0
expect "2 0 0" 3x exit_with 0
expect "2 0 0" "" exit_with 0

expect "4 2 1" 2 exit_with 4
[ "$delay" = 1 ] || { echo "FAIL default delay: expected 1, got $delay"; failed=1; }
RETRY_DELAY=7
expect "4 2 1" 2 exit_with 4
[ "$delay" = 7 ] || { echo "FAIL RETRY_DELAY=7: got $delay"; failed=1; }
exit $failed
