# Run from the root: sh tests/run.sh
. ./envfile.sh
failed=0

# expect NAME EXPECTED COMMAND...: compares the output of the command.
expect() {
  name=$1 expected=$2
  shift 2
  got=$("$@")
  if [ "$got" != "$expected" ]; then
    echo "FAIL $name: $*: expected '$expected', got '$got'"
    failed=1
  fi
}

expect "simple value" "shop" env_get tests/app.env APP_NAME
expect "the last line wins" "9090" env_get tests/app.env PORT
expect "value with equals signs" "postgres://db/shop?sslmode=require&pool=5" env_get tests/app.env DB_URL
expect "missing key" "" env_get tests/app.env NO_SUCH_KEY
expect "keys" "APP_NAME
DB_URL
PORT" env_keys tests/app.env

[ $failed -eq 0 ] && echo "all tests passed"
exit $failed
