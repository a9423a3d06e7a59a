# Run from the root: sh tests/run.sh
failed=0
tmp=tests/tmp
rm -rf $tmp
mkdir -p $tmp/pages

# expect NAME EXPECTED GOT
expect() {
  if [ "$3" != "$2" ]; then
    echo "FAIL $1: expected:"
    echo "$2"
    echo "got:"
    echo "$3"
    failed=1
  fi
}

printf 'Title: About us\nDate: 2024-05-01\n\nWe sell chairs.\n' >$tmp/pages/about.txt
printf 'Title: News\nDate: 2024-06-15\n\nNow with tables.\n' >$tmp/pages/news.txt
printf 'Title: Plans\nDate: 2024-07-01\nDraft: yes\n\nNot yet.\n' >$tmp/pages/plans.txt

expect "output" "built: 2, drafts: 1" "$(sh build.sh $tmp/pages $tmp/out)"
expect "files" "about.html index.html news.html" "$(ls $tmp/out | paste -s -d ' ' -)"
expect "about.html" "<title>About us</title>
<h1>About us</h1>
<p>We sell chairs.</p>" "$(cat $tmp/out/about.html)"
expect "index.html" '<title>Index</title>
<ul>
<li>2024-06-15 <a href="news.html">News</a></li>
<li>2024-05-01 <a href="about.html">About us</a></li>
</ul>' "$(cat $tmp/out/index.html)"

rm -rf $tmp
[ $failed -eq 0 ] && echo "all tests passed"
exit $failed
