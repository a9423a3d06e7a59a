#include "tools/edit_text.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("edit text: replaces, inserts and deletes lines") {
  struct Row {
    const char* name;
    std::string text;
    LineRange range;
    std::string content;
    std::string expected;
    LineRange lines;
  };
  const Row rows[] = {
      {"one line by another", "a\nb\nc\n", {2, 2}, "x", "a\nx\nc\n", {2, 2}},
      {"a final line end in the content adds no blank line",
       "a\nb\n",
       {1, 1},
       "x\n",
       "x\nb\n",
       {1, 1}},
      {"a blank line is a line", "a\nb\n", {1, 1}, "\n", "\nb\n", {1, 1}},
      {"empty content deletes", "a\nb\nc\n", {1, 2}, "", "c\n", {1, 0}},
      {"one line by three", "a\nb\n", {2, 2}, "x\n\ny", "a\nx\n\ny\n", {2, 4}},
      {"inserts before the first line", "a\n", {1, 0}, "x", "x\na\n", {1, 1}},
      {"inserts behind the last line", "a\n", {2, 1}, "x", "a\nx\n", {2, 2}},
      {"inserts into an empty text", "", {1, 0}, "x", "x\n", {1, 1}},
      {"inserting nothing changes nothing", "a\nb", {2, 1}, "", "a\nb", {2, 1}},
      {"keeps a missing final line end", "a\nb", {2, 2}, "x\n", "a\nx", {2, 2}},
      {"appends behind a missing line end and keeps it missing",
       "a\nb",
       {3, 2},
       "x\n",
       "a\nb\nx",
       {3, 3}},
      {"deleting the last line keeps the final line end missing", "a\nb", {2, 2}, "", "a", {2, 1}},
      {"deleting all leaves nothing", "a\nb\n", {1, 2}, "", "", {1, 0}},
      {"new lines get CRLF among CRLF", "a\r\nb\r\n", {2, 2}, "x\ny", "a\r\nx\r\ny\r\n", {2, 3}},
      {"CRLF in the content becomes LF among LF",
       "a\nb\n",
       {1, 1},
       "x\r\ny\r\n",
       "x\ny\nb\n",
       {1, 2}},
      {"a mixed text keeps the end of the line that was there",
       "a\r\nb\nc\r\n",
       {2, 2},
       "x",
       "a\r\nx\nc\r\n",
       {2, 2}},
      {"appends to CRLF without a final one", "a\r\nb", {3, 2}, "x", "a\r\nb\r\nx", {3, 3}},
      {"bytes that are no UTF-8 stay", "\xff\xfe\nb\n", {2, 2}, "x", "\xff\xfe\nx\n", {2, 2}},
      {"a lone carriage return ends no line", "a\rb\nc\n", {1, 1}, "x", "x\nc\n", {1, 1}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    REQUIRE(fits(LineTable(row.text), row.range).ok());
    const EditedText edited = replace_lines(row.text, row.range, row.content);
    CHECK(edited.text == row.expected);
    CHECK(edited.lines == row.lines);
  }
}

TEST_CASE("edit text: says which line is not there") {
  const LineTable table("a\nb\n");
  CHECK(fits(table, {3, 2}).ok());
  CHECK(fits(table, {4, 3}).error().message == "there is no line 4: the file has 2 lines");
  CHECK(fits(table, {1, 3}).error().message == "there is no line 3: the file has 2 lines");
  CHECK(in_order({2, 1}).error().message == "start_line 2 is after end_line 1");
  CHECK(fits(table, {0, 1}).error().message == "there is no line 0: the file has 2 lines");
  CHECK(fits(LineTable("a"), {2, 2}).error().message == "there is no line 2: the file has 1 line");
}

TEST_CASE("edit text: finds text whatever the line ends") {
  struct Row {
    const char* name;
    std::string text;
    std::string wanted;
    std::vector<Occurrence> expected;
  };
  const Row rows[] = {
      {"once", "abc", "b", {{1, 1}}},
      {"not at all", "abc", "x", {}},
      {"twice, not overlapping", "aaaa", "aa", {{0, 2}, {2, 2}}},
      {"LF in the wanted text finds CRLF", "a\r\nb\r\nc", "a\nb", {{0, 4}}},
      {"CRLF in the wanted text finds LF", "a\nb\nc", "a\r\nb", {{0, 3}}},
      {"a line end at the end takes the whole CRLF", "a\r\nb", "a\n", {{0, 3}}},
      {"the end is before a CRLF that was not asked for", "ab\r\ncd", "b", {{1, 1}}},
      {"begins before the whole CRLF", "a\r\nb", "\nb", {{1, 3}}},
      {"behind several CRLF", "\r\n\r\nx", "x", {{4, 1}}},
      {"in a mixed text", "a\nb\r\nb\n", "b\n", {{2, 3}, {5, 2}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(find_text(row.text, row.wanted) == row.expected);
  }
}

TEST_CASE("edit text: replaces occurrences and reports their new lines") {
  struct Row {
    const char* name;
    std::string text;
    std::string wanted;
    std::string replacement;
    std::string expected;
    LineRange lines;
  };
  const Row rows[] = {
      {"within a line", "a\nfoo(1);\nc\n", "foo", "bar", "a\nbar(1);\nc\n", {2, 2}},
      {"a line by two", "a\nb\nc\n", "b", "x\ny", "a\nx\ny\nc\n", {2, 3}},
      {"the final line end of the replacement belongs to its line",
       "a\nb\nc\n",
       "b\n",
       "x\n",
       "a\nx\nc\n",
       {2, 2}},
      {"by nothing", "a\nb\nc\n", "b\n", "", "a\nc\n", {2, 2}},
      {"everything by nothing", "ab", "ab", "", "", {1, 0}},
      {"new lines get CRLF", "a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", {2, 3}},
      {"several, far apart", "a\nb\na\n", "a", "x", "x\nb\nx\n", {1, 3}},
      {"each with the line end of its place", "a\r\na\n", "a", "x\ny", "x\r\ny\r\nx\ny\n", {1, 4}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const EditedText edited =
        replace_occurrences(row.text, find_text(row.text, row.wanted), row.replacement);
    CHECK(edited.text == row.expected);
    CHECK(edited.lines == row.lines);
  }
}

}  // namespace pedro
