#include <doctest/doctest.h>

#include <string>

#include "tools/alike_text.h"

namespace pedro {

TEST_CASE("closest text: finds the intended place") {
  const std::string text =
      "int main() {\n"
      "  int total = 0;\n"
      "  for (int i = 0; i < 10; ++i) {\n"
      "    total += i;\n"
      "  }\n"
      "  return total;\n"
      "}\n";
  struct Row {
    const char* name;
    std::string wanted;
    LineRange lines;
    bool only_blanks_differ;
  };
  const Row rows[] = {
      {"the same lines, indented otherwise",
       "for (int i = 0; i < 10; ++i) {\ntotal += i;\n}\n",
       {3, 5},
       true},
      {"most lines are there",
       "  int total = 1;\n  for (int i = 0; i < 10; ++i) {\n    total += i;\n",
       {2, 4},
       false},
      {"a line that is nearly there", "  return totals;", {6, 6}, false},
      {"a brace decides nothing", "}\nint totals = 0;", {1, 2}, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto closest = closest_text(LineTable(text), row.wanted);
    REQUIRE(closest);
    CHECK(closest->lines == row.lines);
    CHECK(closest->only_blanks_differ == row.only_blanks_differ);
  }
}

TEST_CASE("closest text: nothing is like it") {
  CHECK(!closest_text(LineTable("a = 1\nb = 2\n"), "while (true) launch_the_rocket();"));
  CHECK(!closest_text(LineTable(""), "x"));
  CHECK(!closest_text(LineTable("x\n"), " \n "));
}

TEST_CASE("closest text: a huge file does not take long") {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "value_" + std::to_string(i) + " = compute();\n";
  std::string wanted;
  for (int i = 0; i < 300; ++i) wanted += "other_" + std::to_string(i) + " = evaluate();\n";
  CHECK(!closest_text(LineTable(text), wanted));
}

}  // namespace pedro
