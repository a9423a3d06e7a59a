#include <doctest/doctest.h>

#include <filesystem>

#include "tools/tool_bench.h"

namespace pedro {

constexpr const char* kTenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

TEST_CASE("code_edit: shows and edits lines by number") {
  struct Row {
    const char* name;
    const char* args;
    const char* text;
    const char* file;
  };
  const Row rows[] = {
      {"replaces lines and shows three on either side",
       R"({"action": "edit_lines", "path": "f", "start_line": 5, "end_line": 6, "new_content": "five\nsix\nmore\n"})",
       "f: lines 5-6 replaced by 3 lines; "
       "now:\n2\t2\n3\t3\n4\t4\n5\tfive\n6\tsix\n7\tmore\n8\t7\n9\t8\n10\t9\n",
       "1\n2\n3\n4\nfive\nsix\nmore\n7\n8\n9\n10\n"},
      {"inserts before a line",
       R"({"action": "insert_at_line", "path": "f", "line_number": 1, "content": "zero"})",
       "f: 1 line inserted before line 1; now:\n1\tzero\n2\t1\n3\t2\n4\t3\n",
       "zero\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"},
      {"one past the last line appends",
       R"({"action": "insert_at_line", "path": "f", "line_number": 11, "content": "11\n"})",
       "f: 1 line inserted before line 11; now:\n8\t8\n9\t9\n10\t10\n11\t11\n",
       "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"},
      {"deletes lines and shows what closed up",
       R"({"action": "delete_lines", "path": "f", "start_line": 2, "end_line": 8})",
       "f: lines 2-8 deleted; now:\n1\t1\n2\t9\n3\t10\n", "1\n9\n10\n"},
      {"empty content deletes",
       R"({"action": "edit_lines", "path": "f", "start_line": 10, "end_line": 10, "new_content": ""})",
       "f: line 10 replaced by 0 lines; now:\n7\t7\n8\t8\n9\t9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"},
      {"replaces text",
       R"({"action": "replace_text", "path": "f", "old": "2\n3\n", "new": "23\n"})",
       "f: 1 occurrence replaced; now:\n1\t1\n2\t23\n3\t4\n4\t5\n5\t6\n",
       "1\n23\n4\n5\n6\n7\n8\n9\n10\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", kTenLines);
    const ToolResult result = bench.run("code_edit", row.args);
    CHECK(result.ok);
    CHECK(result.text == row.text);
    CHECK(result.changed == std::vector<std::string>{"f"});
    CHECK(bench.get("f") == row.file);
  }
}

TEST_CASE("code_edit get_lines: a range that ends too late is cut") {
  ToolBench bench;
  bench.put("f", kTenLines);
  CHECK(bench.ok("code_edit",
                 R"({"action": "get_lines", "path": "f", "start_line": 9, "end_line": 50})") ==
        "f (lines 9-10 of 10)\n9\t9\n10\t10\n");
}

TEST_CASE("code_edit: refuses lines that are not there, and leaves the file alone") {
  struct Row {
    const char* args;
    const char* text;
  };
  const Row rows[] = {
      {R"({"action": "get_lines", "path": "f", "start_line": 11, "end_line": 12})",
       "f: there is no line 11: the file has 10 lines"},
      {R"({"action": "edit_lines", "path": "f", "start_line": 9, "end_line": 11, "new_content": "x"})",
       "f: there is no line 11: the file has 10 lines"},
      {R"({"action": "edit_lines", "path": "f", "start_line": 5, "end_line": 4, "new_content": "x"})",
       "start_line 5 is after end_line 4"},
      {R"({"action": "delete_lines", "path": "f", "start_line": 5, "end_line": 3})",
       "start_line 5 is after end_line 3"},
      {R"({"action": "insert_at_line", "path": "f", "line_number": 12, "content": "x"})",
       "f: there is no line 12: the file has 10 lines"},
      {R"({"action": "edit_lines", "path": "f", "start_line": 1, "end_line": 9007199254740993, "new_content": "x"})",
       "f: there is no line 9007199254740993: the file has 10 lines"},
      {R"({"action": "edit_lines", "path": "f", "start_line": 2, "end_line": 2, "new_content": "2"})",
       "f: nothing to do, the file already reads like that"},
      {R"({"action": "replace_text", "path": "f", "old": "1", "new": "x"})",
       "f: the old text occurs 2 times, at lines 1, 10; give more surrounding lines"},
      {R"({"action": "edit_lines", "path": "bin", "start_line": 1, "end_line": 1, "new_content": "x"})",
       "bin is a binary file (3 bytes), not text"},
      {R"({"action": "edit_lines", "path": "g", "start_line": 1, "end_line": 1, "new_content": "x"})",
       "no such file: g; nearest in .: f"},
  };
  ToolBench bench;
  bench.put("f", kTenLines);
  bench.put("bin", std::string("a\0b", 3));
  for (const Row& row : rows) {
    CAPTURE(row.args);
    CHECK(bench.refused("code_edit", row.args) == row.text);
    CHECK(bench.get("f") == kTenLines);
  }
}

TEST_CASE("code_edit: the numbers of shown lines are removed from new lines") {
  struct Row {
    const char* edit;
    const char* after;
  };
  for (
      const Row& row : {
          Row{R"({"action":"edit_lines","path":"a.py","start_line":2,"end_line":2,"new_content":"2\tx"})",
              "a\nx\nc\n"},
          Row{R"({"action":"insert_at_line","path":"a.py","line_number":3,"content":"3\tx\n4\ty"})",
              "a\nb\nx\ny\nc\n"},
          Row{R"({"action":"edit_lines","path":"a.py","start_line":2,"end_line":2,"new_content":"7\tx"})",
              "a\n7\tx\nc\n"},
      }) {
    CAPTURE(row.edit);
    ToolBench bench;
    bench.put("a.py", "a\nb\nc\n");
    CHECK(bench.run("code_edit", row.edit).ok);
    CHECK(bench.get("a.py") == row.after);
  }
}

TEST_CASE("code_edit: keeps line ends, the missing final one, other bytes and the mode") {
  ToolBench bench;
  bench.put("f", "a\r\n\xff\r\nc");
  std::filesystem::permissions(bench.path("f"), std::filesystem::perms(0750));
  bench.ok(
      "code_edit",
      R"({"action": "edit_lines", "path": "f", "start_line": 1, "end_line": 1, "new_content": "x\ny\n"})");
  bench.ok("code_edit",
           R"({"action": "replace_text", "path": "f", "old": "x\ny\n", "new": "z\nw\n"})");
  bench.ok("code_edit",
           R"({"action": "insert_at_line", "path": "f", "line_number": 5, "content": "end\n"})");
  CHECK(bench.get("f") == "z\r\nw\r\n\xff\r\nc\r\nend");
  CHECK(bench.files.info(bench.path("f")).mode == 0750);
}

TEST_CASE("code_edit: of a long edit the beginning and the end are shown") {
  ToolBench bench;
  bench.put("f", "a\nb\n");
  Json args{{"action", "insert_at_line"}, {"path", "f"}, {"line_number", 2}};
  std::string content;
  for (int i = 0; i < 100; ++i) content += "x\n";
  args["content"] = content;
  const std::string text = bench.ok("code_edit", to_line(args));
  CHECK(text.starts_with("f: 100 lines inserted before line 2; now:\n1\ta\n2\tx\n"));
  CHECK(text.find("20\tx\n[... 62 lines not shown ...]\n83\tx\n") != std::string::npos);
  CHECK(text.ends_with("101\tx\n102\tb\n"));
}

}  // namespace pedro
