# Run from the root: sh tests/run.sh
. ./lib/retry.sh
failed=0

# A pause is only counted here.
sleep() { pauses=$((pauses + 1)); }

# fail_times N: a command that fails N times and then succeeds.
fail_times() {
  runs=$((runs + 1))
  [ "$runs" -gt "$1" ]
}

# expect "STATUS RUNS PAUSES" ARGUMENTS...: calls retry with the arguments.
expect() {
  expected=$1
  shift
  runs=0 pauses=0
  retry "$@" 2>/dev/null
  got="$? $runs $pauses"
  if [ "$got" != "$expected" ]; then
    echo "FAIL retry $*: expected status, runs, pauses: $expected; got $got"
    failed=1
  fi
}

expect "0 1 0" 3 fail_times 0
expect "0 3 2" 3 fail_times 2
expect "1 3 2" 3 fail_times 9
expect "1 1 0" 1 fail_times 9
expect "2 0 0" many fail_times 0

[ $failed -eq 0 ] && echo "all tests passed"
exit $failed
