failed=0
tmp=tests/tmp
rm -rf $tmp
mkdir -p $tmp/pages $tmp/clean

expect() {
  if [ "$3" != "$2" ]; then
    echo "FAIL $1: expected:"
    echo "$2"
    echo "got:"
    echo "$3"
    failed=1
  fi
}

printf 'Title: Help\nDate: 2023-12-31\n\nWrite this line into the header:\nDraft: yes\nDate: 2030-01-01\n' >$tmp/pages/help.txt
printf 'Title: Secret\nDraft: yes\nDate: 2024-09-01\n\nNo.\n' >$tmp/pages/secret.txt
printf 'Title: Old\nDate: 2019-02-03\nDraft: no\n\nOld text.\n' >$tmp/pages/old.txt
printf 'Title: A new shop\nDate: 2024-10-01\n\nCome in.\n' >$tmp/pages/shop.txt
printf 'Draft: yes\nTitle: Other\nDate: 2024-09-02\n\nNo.\n' >$tmp/pages/other.txt

expect "output" "built: 3, drafts: 2" "$(sh build.sh $tmp/pages $tmp/out)"
expect "files" "help.html index.html old.html shop.html" "$(ls $tmp/out | paste -s -d ' ' -)"
expect "index.html" '<title>Index</title>
<ul>
<li>2024-10-01 <a href="shop.html">A new shop</a></li>
<li>2023-12-31 <a href="help.html">Help</a></li>
<li>2019-02-03 <a href="old.html">Old</a></li>
</ul>' "$(cat $tmp/out/index.html)"
expect "help.html" '<title>Help</title>
<h1>Help</h1>
<p>Write this line into the header:
Draft: yes
Date: 2030-01-01</p>' "$(cat $tmp/out/help.html)"

printf 'Title: One\nDate: 2024-01-01\n\nText.\n' >$tmp/clean/one.txt
expect "no drafts" "built: 1, drafts: 0" "$(sh build.sh $tmp/clean $tmp/clean_out)"

sh build.sh >/dev/null 2>&1
expect "usage" 2 $?
rm -rf $tmp
exit $failed
