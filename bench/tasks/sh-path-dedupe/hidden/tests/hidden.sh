. ./lib/paths.sh
failed=0

expect() {
  expected=$1
  shift
  got=$("$@")
  if [ "$got" != "$expected" ]; then
    echo "FAIL $*: expected '$expected', got '$got'"
    failed=1
  fi
}

expect "/z:/y:/x" path_dedupe "/z:/y:/z:/x:/y:/z"
expect "/usr/local/bin:/usr/bin:/bin" path_dedupe "/usr/local/bin:/usr/bin:/bin"
expect "/opt/tools:/opt" path_dedupe "/opt/tools:/opt:/opt/tools"
expect "/bin:/usr/bin" path_dedupe "/bin:/usr/bin:/bin:/usr/bin"
expect "/my tools/bin:/bin" path_dedupe "/my tools/bin:/bin:/my tools/bin"
expect "/b:/a" path_dedupe "::/b:::/a::/b::"
expect "/a.b:/aab" path_dedupe "/a.b:/aab"
expect "/b" path_dedupe "/b:/b:/b"
exit $failed
