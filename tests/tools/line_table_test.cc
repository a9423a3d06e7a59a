#include "tools/line_table.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("line table: a final line end begins no line") {
  const LineTable table("a\nb\r\nc");
  REQUIRE(table.size() == 3);
  CHECK(table.line(2) == "b");
  CHECK(table.end_of(1) == "\n");
  CHECK(table.end_of(2) == "\r\n");
  CHECK(table.end_of(3) == "");
  CHECK(LineTable("a\n").size() == 1);
  CHECK(LineTable("").size() == 0);
  CHECK(LineTable("\n").size() == 1);
}

TEST_CASE("line table: finds the line of a byte") {
  const LineTable table("ab\ncd\n");
  CHECK(table.line_at(0) == 1);
  CHECK(table.line_at(2) == 1);
  CHECK(table.line_at(3) == 2);
  CHECK(table.line_at(99) == 2);
}

TEST_CASE("line table: a new line ends like its neighbours") {
  const LineTable table("a\r\nb\nc");
  CHECK(table.end_to_use_at(1) == "\r\n");
  CHECK(table.end_to_use_at(2) == "\n");
  CHECK(table.end_to_use_at(3) == "\n");
  CHECK(table.end_to_use_at(4) == "\n");
  CHECK(LineTable("a\r\nb").end_to_use_at(2) == "\r\n");
  CHECK(LineTable("").end_to_use_at(1) == "\n");
}

TEST_CASE("line table: numbers lines and cuts long ones") {
  const LineTable table("one\ntwo two two\n");
  CHECK(numbered_lines(table, {1, 9}) == "1\tone\n2\ttwo two two\n");
  CHECK(numbered_lines(table, {2, 2}, 3) == "2\ttwo [... 8 more bytes in this line]\n");
  CHECK(numbered_lines(table, {3, 2}) == "");
}

}  // namespace pedro
