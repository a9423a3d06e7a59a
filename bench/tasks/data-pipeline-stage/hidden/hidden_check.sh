# Compares the fields of all stages; the order of sections, fields and names does not matter.
awk '
function trim(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}
/^[ \t]*(#.*)?$/ { next }
/^\[/ { stage = trim($0); next }
{
  field = trim(substr($0, 1, index($0, "=") - 1))
  value = trim(substr($0, index($0, "=") + 1))
  if (field == "needs") {
    total = split(value, names, ",")
    for (i = 1; i <= total; i++) print stage " needs " trim(names[i])
  } else {
    print stage " " field " " value
  }
}' pipeline.ini | LC_ALL=C sort >found.txt
cat >expected.txt <<'END'
[build] artifact shop
[build] run make
[build] timeout 900
[deploy] needs package
[deploy] run ./deploy.sh shop.tar.gz
[deploy] timeout 300
[lint] run make lint
[lint] timeout 120
[package] artifact shop.tar.gz
[package] needs lint
[package] needs test
[package] run make dist
[package] timeout 600
[test] needs build
[test] run make test
[test] timeout 1200
END
LC_ALL=C sort expected.txt | diff - found.txt
status=$?
rm -f expected.txt found.txt
exit $status
