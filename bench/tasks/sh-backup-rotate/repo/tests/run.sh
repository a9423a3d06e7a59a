# Run from the root: sh tests/run.sh
failed=0
tmp=tests/tmp
rm -rf $tmp
mkdir -p $tmp

# backups DAY...: fills the folder with one backup for each day.
backups() {
  rm -f $tmp/*
  for day in "$@"; do : >"$tmp/backup-2024-03-$day.tar.gz"; done
}

# expect NAME EXPECTED: compares the files of the folder.
expect() {
  got=$(ls $tmp | tr '\n' ' ')
  if [ "$got" != "$2" ]; then
    echo "FAIL $1: expected the files '$2', got '$got'"
    failed=1
  fi
}

backups 01 02 03 04
sh rotate.sh $tmp 2 >/dev/null
expect "four backups, keep 2" "backup-2024-03-03.tar.gz backup-2024-03-04.tar.gz "

backups 01 02
: >$tmp/notes.txt
sh rotate.sh $tmp 5 >/dev/null
expect "two backups, keep 5" "backup-2024-03-01.tar.gz backup-2024-03-02.tar.gz notes.txt "

backups 01 02 03
sh rotate.sh $tmp 1 -n >/dev/null
expect "dry run" "backup-2024-03-01.tar.gz backup-2024-03-02.tar.gz backup-2024-03-03.tar.gz "

rm -rf $tmp
[ $failed -eq 0 ] && echo "all tests passed"
exit $failed
