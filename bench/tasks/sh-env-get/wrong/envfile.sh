# Functions for files with KEY=VALUE lines. Source this file.

# env_get FILE KEY: prints the value of KEY. The last line of a key wins. Fails if there is none.
env_get() {
  env_line=$(grep "^$2=" "$1" | tail -n 1)
  [ -n "$env_line" ] || return 1
  printf '%s\n' "$env_line" | cut -d= -f2,3
}

# env_keys FILE: prints the keys, sorted, each once.
env_keys() {
  grep '^[A-Za-z_]' "$1" | sed 's/=.*//' | sort -u
}

# env_has FILE KEY: true if the file sets KEY.
env_has() {
  grep -q "^$2=" "$1"
}
