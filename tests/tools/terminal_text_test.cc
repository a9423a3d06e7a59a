#include "tools/terminal_text.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("terminal text: columns count wide and combining characters") {
  CHECK(columns_of("abc") == 3);
  CHECK(columns_of("日本") == 4);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("") == 0);
}

TEST_CASE("terminal text: a line is cut at its columns, never inside a character") {
  CHECK(fit_columns("abc", 3) == "abc");
  CHECK(fit_columns("abcd", 3) == "ab…");
  CHECK(fit_columns("日本語", 6) == "日本語");
  CHECK(fit_columns("日本語", 5) == "日本…");
  CHECK(fit_columns("日本語", 4) == "日…");
  CHECK(fit_columns("日本語", 1) == "…");
  CHECK(fit_columns("a\nb\tc", 9) == "a b c");
  CHECK(fit_columns("a\x1b[31m", 9).find('\x1b') == std::string::npos);
}

}  // namespace pedro
