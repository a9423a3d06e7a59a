# Functions for page files.

# page_name FILE: prints the name of the page without folder and ending.
page_name() {
  basename "$1" .txt
}

# page_field FILE FIELD: prints the value of a field of the header.
page_field() {
  sed -n -e '/^$/q' -e "s/^$2: *//p" "$1"
}

# page_is_draft FILE: true if the header says so.
page_is_draft() {
  [ "$(page_field "$1" Draft)" = yes ]
}

# page_body FILE: prints the text below the header.
page_body() {
  sed '1,/^$/d' "$1"
}

# page_html FILE: prints the page as HTML.
page_html() {
  title=$(page_field "$1" Title)
  echo "<title>$title</title>"
  echo "<h1>$title</h1>"
  echo "<p>$(page_body "$1")</p>"
}
