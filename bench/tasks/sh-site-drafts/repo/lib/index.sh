# The list of all pages.

# index_html PAGES: prints the index of a folder of pages as HTML.
index_html() {
  echo "<title>Index</title>"
  echo "<ul>"
  for index_page in "$1"/*.txt; do
    echo "<li><a href=\"$(page_name "$index_page").html\">$(page_field "$index_page" Title)</a></li>"
  done
  echo "</ul>"
}
