# Functions for lists of folders such as PATH: entries separated by colons.

# path_dedupe LIST: prints the list with each entry once and without empty entries.
path_dedupe() {
  printf '%s\n' "$1" | tr ':' '\n' | grep -v '^$' | sort -u | paste -s -d : -
}

# path_contains LIST ENTRY: true if the list has exactly this entry.
path_contains() {
  case ":$1:" in
    *":$2:"*) return 0 ;;
  esac
  return 1
}

# path_append LIST ENTRY: prints the list with the entry at the end, unless the list has it already.
path_append() {
  if path_contains "$1" "$2"; then
    printf '%s\n' "$1"
  else
    printf '%s\n' "${1:+$1:}$2"
  fi
}
