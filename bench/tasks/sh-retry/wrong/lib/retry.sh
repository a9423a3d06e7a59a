# Source this file.

# retry TIMES COMMAND...
# Runs the command until it succeeds, at most TIMES times. Sleeps RETRY_DELAY seconds (default 1) between the attempts.
# Returns the exit status of the last attempt. Returns 2 without running the command if TIMES is not a positive number.
retry() {
  case $1 in
    '' | *[!0-9]*) return 2 ;;
  esac
  retry_times=$1
  shift
  retry_count=0
  while [ "$retry_count" -lt "$retry_times" ]; do
    "$@" && return 0
    retry_count=$((retry_count + 1))
    [ "$retry_count" -lt "$retry_times" ] && sleep "${RETRY_DELAY:-1}"
  done
  return 1
}
