#include "tools/alike_text.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("alike text: characters that look the same") {
  struct Row {
    const char* name;
    const char* text;
    const char* wanted;
    std::vector<std::string> found;
  };
  const Row rows[] = {
      {"the text itself", "a b", "a b", {"a b"}},
      {"a no-break space", "x = a\u00A0+ b;", "a + b", {"a\u00A0+ b"}},
      {"quotes", "say \u201Chi\u201D", "\"hi\"", {"\u201Chi\u201D"}},
      {"quotes in the wanted text", "it's", "it\u2019s", {"it's"}},
      {"a dash", "1\u20132", "1-2", {"1\u20132"}},
      {"a decomposed letter", "cafe\u0301!", "caf\u00E9", {"cafe\u0301"}},
      {"a composed letter", "caf\u00E9!", "cafe\u0301", {"caf\u00E9"}},
      {"a letter without its mark", "cafe\u0301", "cafe", {}},
      {"an ellipsis", "a\u2026b", "a...b", {"a\u2026b"}},
      {"a part of an ellipsis", "a\u2026b", "a..", {}},
      {"an invisible character", "a\u200Bb", "ab", {"a\u200Bb"}},
      {"ends of lines", "a\u00A0b\r\nc\r\n", "a b\nc", {"a\u00A0b\r\nc"}},
      {"twice", "a\u00A0b a b", "a b", {"a\u00A0b", "a b"}},
      {"letters of other scripts", "\u0430", "a", {}},
      {"invalid UTF-8", "\xFF\xFE a", "\xFF\xFE a", {"\xFF\xFE a"}},
      {"nothing", "a", "\u200B", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::vector<std::string> found;
    for (const Occurrence& one : find_alike(row.text, row.wanted)) {
      found.push_back(std::string(row.text).substr(one.offset, one.bytes));
    }
    CHECK(found == row.found);
  }
}

TEST_CASE("alike text: the numbers of lines") {
  struct Row {
    const char* name;
    const char* text;
    std::optional<std::string> bare;
  };
  const Row rows[] = {
      {"one line", "12\tx = 1;", "x = 1;"},
      {"lines with an end", "9\ta\n10\t\tb\n", "a\n\tb\n"},
      {"blanks before the number", "  9\ta\n 10\tb", "a\nb"},
      {"a line without a number", "9\ta\nb", {}},
      {"numbers that do not ascend", "9\ta\n9\tb", {}},
      {"other text before the tab", "x9\ta", {}},
      {"no tab", "9 a", {}},
      {"nothing", "", {}},
      {"a huge number", "99999999999999999999\ta", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(without_line_numbers(row.text) == row.bare);
  }
}

}  // namespace pedro
