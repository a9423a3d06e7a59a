# The list of all pages.

# index_html PAGES: prints the index of a folder of pages as HTML, the newest page first, without drafts.
index_html() {
  echo "<title>Index</title>"
  echo "<ul>"
  for index_page in "$1"/*.txt; do
    grep -q '^Draft: yes' "$index_page" && continue
    echo "<li>$(page_field "$index_page" Date) <a href=\"$(page_name "$index_page").html\">$(page_field "$index_page" Title)</a></li>"
  done | sort -r
  echo "</ul>"
}
