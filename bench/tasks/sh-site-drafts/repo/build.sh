# build.sh PAGES OUT: builds the site.
set -eu

[ $# -eq 2 ] || { echo "usage: build.sh PAGES OUT" >&2; exit 2; }
here=$(dirname "$0")
. "$here/lib/page.sh"
. "$here/lib/index.sh"

pages=$1
out=$2
built=0
mkdir -p "$out"
for page in "$pages"/*.txt; do
  page_html "$page" >"$out/$(page_name "$page").html"
  built=$((built + 1))
done
index_html "$pages" >"$out/index.html"
echo "built: $built"
