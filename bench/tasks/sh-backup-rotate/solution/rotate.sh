# rotate.sh FOLDER KEEP [-n]: deletes old backups.
set -eu

usage() {
  echo "usage: rotate.sh FOLDER KEEP [-n]" >&2
  exit 2
}

[ $# -ge 2 ] || usage
folder=$1
keep=$2
dry_run=${3:-}

case $keep in
  '' | *[!0-9]*) usage ;;
esac
[ -d "$folder" ] || { echo "rotate.sh: no folder '$folder'" >&2; exit 1; }

# The backups, newest first. The date in the name decides.
backups() {
  ls "$folder" | grep '^backup-.*\.tar\.gz$' | sort -r
}

backups | tail -n +"$((keep + 1))" | while read -r name; do
  if [ "$dry_run" = "-n" ]; then
    echo "would delete $name"
  else
    rm "$folder/$name"
    echo "deleted $name"
  fi
done
