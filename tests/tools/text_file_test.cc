#include "tools/text_file.h"

#include <doctest/doctest.h>

#include "tools/tool_bench.h"

namespace pedro {

#define MARK "\xEF\xBB\xBF"

TEST_CASE("text file: a byte order mark stays at the start of its file") {
  struct Row {
    const char* name;
    const char* tool;
    const char* args;
    const char* expected;
  };
  const Row rows[] = {
      {"insert before line 1", "code_edit",
       R"({"action": "insert_at_line", "path": "f", "line_number": 1, "content": "x"})",
       MARK "x\r\na\r\nb\r\n"},
      {"replace line 1", "code_edit",
       R"({"action": "edit_lines", "path": "f", "start_line": 1, "end_line": 1, "new_content": "x"})",
       MARK "x\r\nb\r\n"},
      {"delete line 1", "code_edit",
       R"({"action": "delete_lines", "path": "f", "start_line": 1, "end_line": 1})", MARK "b\r\n"},
      {"replace text in line 1", "file",
       R"({"action": "replace", "path": "f", "old": "a\nb", "new": "x\ny"})", MARK "x\r\ny\r\n"},
      {"append", "file", R"({"action": "append", "path": "f", "content": "x"})",
       MARK "a\r\nb\r\nx\r\n"},
      {"write the whole file", "file", R"({"action": "write", "path": "f", "content": "x\nb\n"})",
       MARK "x\r\nb\r\n"},
      {"write it with a mark", "file",
       "{\"action\": \"write\", \"path\": \"f\", \"content\": \"" MARK "x\\nb\\n\"}",
       MARK "x\r\nb\r\n"},
      {"write nothing", "file", R"({"action": "write", "path": "f", "content": ""})", MARK},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", MARK "a\r\nb\r\n");
    bench.ok(row.tool, row.args);
    CHECK(bench.get("f") == row.expected);
  }
}

TEST_CASE("text file: a byte order mark is never shown") {
  ToolBench bench;
  bench.put("a.py", MARK "import os\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "a.py"})") ==
        "a.py (lines 1-1 of 1)\n1\timport os\n");
  CHECK(bench.ok("code_edit",
                 R"({"action": "get_lines", "path": "a.py", "start_line": 1, "end_line": 1})") ==
        "a.py (lines 1-1 of 1)\n1\timport os\n");
  CHECK(bench.ok("search", R"({"action": "find_in_file", "path": "a.py", "pattern": "import"})") ==
        "a.py:1: import os\n");
  CHECK(bench.ok("navigate", R"({"action": "find_imports", "path": "a.py"})") ==
        "a.py\n1\timport os\n");
  CHECK(bench.ok("file", R"({"action": "write", "path": "a.py", "content": "import os\n"})") ==
        "a.py already reads like that; nothing changed");
}

TEST_CASE("text file: a new file has the mark that was written, and no other") {
  ToolBench bench;
  bench.ok("file", "{\"action\": \"write\", \"path\": \"a\", \"content\": \"" MARK "x\"}");
  CHECK(bench.get("a") == MARK "x\n");
  bench.ok("file", R"({"action": "write", "path": "b", "content": "x"})");
  CHECK(bench.get("b") == "x\n");
  bench.ok("file", "{\"action\": \"write\", \"path\": \"b\", \"content\": \"" MARK "x\"}");
  CHECK(bench.get("b") == MARK "x\n");
}

TEST_CASE("file write: a file keeps its line ends") {
  struct Row {
    const char* name;
    std::string before;
    std::string content;
    std::string expected;
  };
  const Row rows[] = {
      {"CRLF throughout", "a\r\nb\r\n", "a\nx\ny\n", "a\r\nx\r\ny\r\n"},
      {"CRLF without a last one", "a\r\nb", "x\ny", "x\r\ny\r\n"},
      {"CRLF, all lines are new", "a\r\nb\r\n", "x\ny\nz\n", "x\r\ny\r\nz\r\n"},
      {"LF", "a\nb\n", "x\nb\n", "x\nb\n"},
      {"mixed, a line in the middle changes", "a\r\nb\nc\r\n", "a\nx\nc\n", "a\r\nx\nc\r\n"},
      {"mixed, lines are inserted", "a\r\nb\nc\r\n", "a\nx\ny\nb\nc\n", "a\r\nx\ny\nb\nc\r\n"},
      {"mixed, lines are removed", "a\r\nb\nc\r\nd\n", "a\nd\n", "a\r\nd\n"},
      {"mixed, lines are added at the end", "a\nb\r\n", "a\nb\nc\n", "a\nb\r\nc\r\n"},
      {"CRLF that is asked for", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"},
      {"an empty file has none", "", "a\nb\n", "a\nb\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", row.before);
    bench.ok("file", to_line(Json{{"action", "write"}, {"path", "f"}, {"content", row.content}}));
    CHECK(bench.get("f") == row.expected);
  }
  ToolBench bench;
  bench.put("f", "a\r\nb\r\n");
  CHECK(bench.ok("file", R"({"action": "write", "path": "f", "content": "a\nb"})") ==
        "f already reads like that; nothing changed");
}

TEST_CASE("text file: UTF-16 is refused and stays as it is") {
  const std::string rows[] = {std::string("\xFF\xFE"
                                          "a\0\n\0",
                                          6),
                              std::string("\xFE\xFF\0a\0\n", 6), "\xFF\xFE\x2D\x4E"};
  for (const std::string& bytes : rows) {
    ToolBench bench;
    bench.put("f", bytes);
    const std::string refusal =
        "f is in UTF-16, and tools read and write UTF-8; a command such as iconv can convert it";
    CHECK(bench.refused("file", R"({"action": "read", "path": "f"})") == refusal);
    CHECK(bench.refused("file", R"({"action": "write", "path": "f", "content": "x"})") == refusal);
    CHECK(bench.refused("file", R"({"action": "append", "path": "f", "content": "x"})") == refusal);
    CHECK(bench.refused("file", R"({"action": "replace", "path": "f", "old": "a", "new": "x"})") ==
          refusal);
    CHECK(bench.refused(
              "code_edit",
              R"({"action": "insert_at_line", "path": "f", "line_number": 1, "content": "x"})") ==
          refusal);
    CHECK(bench.get("f") == bytes);
  }
}

}  // namespace pedro
