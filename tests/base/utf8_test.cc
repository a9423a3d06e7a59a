#include "base/utf8.h"

#include <doctest/doctest.h>

#include <vector>

namespace pedro {

TEST_CASE("utf8: accepts scalar values and nothing else") {
  struct Row {
    const char* name;
    std::string text;
    bool valid;
  };
  for (const Row& row : {
           Row{"ascii", "a", true},
           Row{"highest", "\xF4\x8F\xBF\xBF", true},
           Row{"past the highest", "\xF4\x90\x80\x80", false},
           Row{"surrogate", "\xED\xA0\x80", false},
           Row{"overlong slash", "\xC0\xAF", false},
           Row{"overlong three bytes", "\xE0\x80\xAF", false},
           Row{"cut", "\xE2\x82", false},
           Row{"lone continuation", "\x80", false},
       }) {
    CAPTURE(row.name);
    CHECK(is_valid_utf8(row.text) == row.valid);
  }
}

TEST_CASE("utf8: decodes its own encoding") {
  for (const char32_t c : {0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF}) {
    std::string text;
    append_utf8(text, c);
    CHECK(decode_utf8(text) == c);
  }
}

TEST_CASE("utf8: never cuts inside a character") {
  CHECK(truncate_utf8("a\xE2\x82\xAC", 3) == "a");
  CHECK(truncate_utf8("a\xE2\x82\xAC", 4) == "a\xE2\x82\xAC");
  CHECK(tail_utf8("\xE2\x82\xAC z", 3) == " z");
}

TEST_CASE("utf8: makes bytes printable") {
  CHECK(make_printable("a\xFF\tb\x1B[31m") == "a\xEF\xBF\xBD\tb\xEF\xBF\xBD[31m");
  CHECK(make_printable(std::string_view("\0", 1)) == "\xEF\xBF\xBD");
  CHECK(make_printable("a\xC2\x9B z") == "a\xEF\xBF\xBD z");
  CHECK(make_printable("a\xE2\x80\xAE z") == "a\xEF\xBF\xBD z");
  CHECK(make_printable("\u00e9\u20ac") == "\u00e9\u20ac");
}

TEST_CASE("utf8: counts characters of every length") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("a\u00e9\u20ac\U0001F600") == 4);
}

TEST_CASE("utf8: takes characters from the front, and invalid bytes too") {
  std::string_view text = "a\u00e9\xE2\x82\u20ac\U0001F600";
  std::vector<char32_t> points;
  while (!text.empty()) points.push_back(take_code_point(text));
  CHECK(points == std::vector<char32_t>{U'a', 0xE9, 0xE2, 0x82, 0x20AC, 0x1F600});
}

TEST_CASE("utf8: encodes every length") {
  std::string out;
  for (const char32_t c : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600'}) append_utf8(out, c);
  CHECK(out == "a\u00e9\u20ac\U0001F600");
}

}  // namespace pedro
