# Source this file.

# retry TIMES COMMAND...
# Runs the command until it succeeds, at most TIMES times. Sleeps RETRY_DELAY seconds (default 1) between the attempts.
# Returns the exit status of the last attempt. Returns 2 without running the command if TIMES is not a positive number.
retry() {
  retry_times=$1
  shift
  retry_count=0
  while [ "$retry_count" -lt "$retry_times" ]; do
    "$@" && break
    retry_count=$((retry_count + 1))
    sleep "${RETRY_DELAY:-1}"
  done
}
