#include "markdown/html_text.h"

#include <doctest/doctest.h>

#include <vector>

namespace pedro {

TEST_CASE("html text: the text that a reader sees, one line per block") {
  struct Row {
    const char* name;
    const char* html;
    const char* text;
  };
  for (const Row& row : std::vector<Row>{
           {"blocks and blanks", "<h1>A</h1>\n<p>b   c<br>d</p>", "A\nb c\nd"},
           {"scripts, styles and comments",
            "a<script>x<y</script><STYLE>z</STYLE><!-- <p>n</p> -->b", "ab"},
           {"references", "&lt;&amp;&gt; &quot;x&quot; &apos;&nbsp;y", "<&> \"x\" ' y"},
           {"signs", "&copy; &euro; &eacute;&Eacute;&yuml;&iexcl; &hellip; &trade;",
            "© € éÉÿ¡ … ™"},
           {"numbers", "&#233;&#xE9;&#x20AC;&#0;&#xD800;&#99999999;", "éé€&#0;&#xD800;&#99999999;"},
           {"references that are none", "a & b &nosuch; &amp", "a & b &nosuch; &amp"},
           {"a mark in an attribute", "<a title=\"2 > 1\" href='x>y'>z</a>", "z"},
           {"a quotation mark that belongs to no attribute", "<p it's>a</p><p>b's</p>", "a\nb's"},
           {"an attribute without an end", "<p a=\"b>c</p>", "c"},
           {"a sign of the text", "1 < 2", "1 < 2"},
           {"a tag without an end", "a<p", "a"},
           {"a script without an end", "a<script>b", "a"},
           {"nothing", "", ""},
       }) {
    CAPTURE(row.name);
    CHECK(html_to_text(row.html) == row.text);
  }
}

TEST_CASE("html text: a reference ends near its start") {
  CHECK(html_to_text("&#x0010FFF;&#x00010FFF;") == "\U00010FFF&#x00010FFF;");
  const std::string many(2'000'000, '&');
  CHECK(html_to_text(many) == many);
}

TEST_CASE("charset: a page names its own, in its first KiB") {
  CHECK(charset_of_page("<html><meta charset=\"ISO-8859-1\">") == "iso-8859-1");
  CHECK(charset_of_page("<META charset=utf-8>") == "utf-8");
  CHECK(charset_of_page("<meta name=x><meta http-equiv=\"Content-Type\" "
                        "content='text/html; charset=windows-1252'>") == "windows-1252");
  CHECK(charset_of_page("<p>charset=utf-8</p>").empty());
  CHECK(charset_of_page(std::string(1024, ' ') + "<meta charset=x>").empty());
  CHECK(charset_of_page("<meta charset=").empty());
}

TEST_CASE("charset: UTF-8 and windows-1252 are read, and nothing else") {
  CHECK(decode_text("caf\xC3\xA9", "") == "café");
  CHECK(decode_text("caf\xE9 \x80", "iso-8859-1") == "café €");
  CHECK_FALSE(decode_text("caf\xE9", "utf-8").has_value());
  CHECK_FALSE(decode_text("x", "utf-16le").has_value());
  CHECK_FALSE(decode_text(std::string_view("a\0b", 3), "latin1").has_value());
}

}  // namespace pedro
