#include "base/line_diff.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {
namespace {

// One character per row and its line: "-old +new".
std::string shown(std::string_view before, std::string_view after, std::size_t context) {
  std::string text;
  for (const DiffRow& row : line_diff(before, after, context)) {
    constexpr char kMarks[] = {' ', '-', '+', '~'};
    text += kMarks[static_cast<std::size_t>(row.kind)];
    text += std::string(row.line) + std::to_string(row.number) + "|";
  }
  return text;
}

}  // namespace

TEST_CASE("line_diff: the changed lines, with context and numbers") {
  CHECK(shown("a\nb\n", "a\nc\n", 1) == " a1|-b2|+c2|");
  CHECK(shown("a\nb\n", "a\nb\n", 3) == "");
  CHECK(shown("", "x\ny\n", 1) == "+x1|+y2|");
  CHECK(shown("x\n", "", 1) == "-x1|");
  CHECK(shown("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 1) == " b2|-c3|+X3| d4|");
  CHECK(shown("a\nb\nc\n", "b\nc\nd\n", 0) == "-a1|~0|+d3|");
}

TEST_CASE("line_diff: equal lines between changes stay, or become a gap") {
  CHECK(shown("1\n2\n3\n4\n", "1\nx\n3\ny\n", 1) == " 11|-22|+x2| 33|-44|+y4|");
  CHECK(shown("a\n1\n2\n3\n4\nb\n", "A\n1\n2\n3\n4\nB\n", 1) == "-a1|+A1| 12|~0| 45|-b6|+B6|");
}

TEST_CASE("line_diff: long texts without a common line are all different") {
  std::string before;
  std::string after;
  for (int i = 0; i < 3000; ++i) {
    before += "b" + std::to_string(i) + "\n";
    after += "a" + std::to_string(i) + "\n";
  }
  const auto rows = line_diff(before, after, 2);
  REQUIRE(rows.size() == 6000);
  CHECK(rows.front().kind == DiffRow::Kind::kRemoved);
  CHECK(rows.back().kind == DiffRow::Kind::kAdded);
}

}  // namespace pedro
