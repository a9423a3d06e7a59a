failed=0
tmp=tests/tmp
rm -rf $tmp
mkdir -p $tmp

backups() {
  rm -f $tmp/*
  for day in "$@"; do : >"$tmp/backup-2024-03-$day.tar.gz"; done
}

# expect NAME EXPECTED
expect() {
  got=$(ls $tmp | sed 's/backup-2024-03-//; s/\.tar\.gz//' | tr '\n' ' ')
  if [ "$got" != "$2" ]; then
    echo "FAIL $1: expected '$2', got '$got'"
    failed=1
  fi
}

backups 01 02 03 04 05
sh rotate.sh $tmp 2 >/dev/null
expect "five, keep 2" "04 05 "

backups 01 02 03 04 05
sh rotate.sh $tmp 4 >/dev/null
expect "five, keep 4" "02 03 04 05 "

backups 01 02 03
sh rotate.sh $tmp 3 >/dev/null
expect "three, keep 3" "01 02 03 "

backups 01 02 03
sh rotate.sh $tmp 1 >/dev/null
expect "three, keep 1" "03 "

backups 09 10 11 12 13 14 15 16 17 18 19 20
sh rotate.sh $tmp 10 >/dev/null
expect "twelve, keep 10" "11 12 13 14 15 16 17 18 19 20 "

backups 01 02
: >$tmp/other.txt
sh rotate.sh $tmp 0 >/dev/null
expect "two, keep 0" "other.txt "

backups 01 02 03
got=$(sh rotate.sh $tmp 1 -n)
if [ "$got" != "would delete backup-2024-03-02.tar.gz
would delete backup-2024-03-01.tar.gz" ]; then
  echo "FAIL dry run: got '$got'"
  failed=1
fi
rm -rf $tmp
exit $failed
