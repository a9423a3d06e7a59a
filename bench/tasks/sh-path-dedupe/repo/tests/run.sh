# Run from the root: sh tests/run.sh
. ./lib/paths.sh
failed=0

# expect EXPECTED COMMAND...: compares the output of the command.
expect() {
  expected=$1
  shift
  got=$("$@")
  if [ "$got" != "$expected" ]; then
    echo "FAIL $*: expected '$expected', got '$got'"
    failed=1
  fi
}

expect "/usr/local/bin:/bin" path_dedupe "/usr/local/bin:/bin:/usr/local/bin"
expect "/sbin:/bin:/opt/bin" path_dedupe "/sbin:/bin:/sbin:/opt/bin:/bin"
expect "/a:/b" path_dedupe ":/a::/b:"
expect "/bin" path_dedupe "/bin"
expect "/bin:/opt/bin" path_append "/bin" "/opt/bin"
expect "/bin:/opt/bin" path_append "/bin:/opt/bin" "/bin"
expect "/bin" path_append "" "/bin"

[ $failed -eq 0 ] && echo "all tests passed"
exit $failed
