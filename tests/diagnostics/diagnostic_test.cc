#include "diagnostics/diagnostic.h"

#include <doctest/doctest.h>

namespace pedro::diagnostics {

TEST_CASE("diagnostics: an old problem moves with its line, others are new") {
  struct Row {
    const char* name;
    std::vector<Diagnostic> before;
    std::vector<Diagnostic> after;
    std::vector<Diagnostic> expected;
  };
  // Line 3 of 10 becomes two lines.
  const ChangedLines changed{3, 1, 2, 10};
  const Row rows[] = {
      {"before the edit", {{1, "a"}}, {{1, "a"}}, {}},
      {"after the edit", {{9, "a"}}, {{10, "a"}}, {}},
      {"at an unmoved line after the edit", {{9, "a"}}, {{9, "a"}}, {{9, "a"}}},
      {"at the end of the text", {{11, "a"}}, {{11, "a"}}, {}},
      {"inside the edit", {{3, "a"}}, {{4, "a"}}, {}},
      {"numbers of other lines", {{9, "see line 8"}}, {{10, "see line 19"}}, {}},
      {"another message", {{1, "a"}}, {{1, "b"}}, {{1, "b"}}},
      {"twice instead of once", {{1, "a"}}, {{1, "a"}, {1, "a"}}, {{1, "a"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(introduced(row.before, row.after, changed) == row.expected);
  }
}

TEST_CASE("diagnostics: the changed lines of two texts") {
  const auto lines = [](std::string_view before, std::string_view after) {
    const ChangedLines changed = changed_lines(before, after);
    return std::vector<std::size_t>{changed.first, changed.removed, changed.added, changed.total};
  };
  using Numbers = std::vector<std::size_t>;
  CHECK(lines("a\nb\nc\n", "a\nB\nB\nc\n") == Numbers{2, 1, 2, 3});
  CHECK(lines("a\na\n", "a\na\na\n") == Numbers{3, 0, 1, 2});
  CHECK(lines("", "a\n") == Numbers{1, 0, 1, 0});
  CHECK(lines("a\nb\n", "b\n") == Numbers{1, 1, 0, 2});
}

TEST_CASE("diagnostics: the text names the place first and is bounded") {
  CHECK(to_text("a.py", {{3, "no\nway\x1b[2J"}}).starts_with("a.py:3: no way"));
  CHECK(to_text("a.py", {{3, "\x1b[2J"}}).find('\x1b') == std::string::npos);
  const std::vector<Diagnostic> many(5000, Diagnostic{1, std::string(5000, 'x')});
  const std::string text = to_text(std::string(5000, 'p'), many);
  CHECK(text.size() < 2500);
  CHECK(text.find(" more\n") != std::string::npos);
}

}  // namespace pedro::diagnostics
