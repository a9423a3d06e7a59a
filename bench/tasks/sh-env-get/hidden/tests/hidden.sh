. ./envfile.sh
failed=0

expect() {
  name=$1 expected=$2
  shift 2
  got=$("$@")
  if [ "$got" != "$expected" ]; then
    echo "FAIL $name: $*: expected '$expected', got '$got'"
    failed=1
  fi
}

file=tests/hidden.env
expect "one equals sign" "a=b" env_get $file ONE
expect "two equals signs" "a=b=c" env_get $file TWO
expect "many equals signs" "k1=v1;k2=v2;k3=v3;k4=v4" env_get $file MANY
expect "trailing equals signs" "abc==" env_get $file TRAILING
expect "leading equals sign" "=abc" env_get $file LEADING
expect "spaces" "two words = three" env_get $file SPACES
expect "plain" "plain" env_get $file PLAIN
expect "empty" "" env_get $file EMPTY
if env_get $file KEY >/dev/null; then echo "FAIL: KEY is in a comment only, expected a failure"; failed=1; fi
if ! env_get $file EMPTY >/dev/null; then echo "FAIL: EMPTY is set, expected success"; failed=1; fi
if ! env_has $file TWO; then echo "FAIL: env_has TWO"; failed=1; fi
exit $failed
