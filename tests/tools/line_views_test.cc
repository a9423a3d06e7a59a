#include <doctest/doctest.h>

#include "tools/line_table.h"
#include "tools/tool_bench.h"

namespace pedro {

constexpr const char* kNineLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

std::string edit_lines(int first, int last, const std::string& content) {
  return to_line(Json{{"action", "edit_lines"},
                      {"path", "f"},
                      {"start_line", first},
                      {"end_line", last},
                      {"new_content", content}});
}

std::string insert_at_line(int line, const std::string& content) {
  return to_line(Json{
      {"action", "insert_at_line"}, {"path", "f"}, {"line_number", line}, {"content", content}});
}

std::string delete_lines(int first, int last) {
  return to_line(
      Json{{"action", "delete_lines"}, {"path", "f"}, {"start_line", first}, {"end_line", last}});
}

TEST_CASE("line views: numbers of one reply are those from before it") {
  struct Row {
    const char* name;
    std::vector<std::string> calls;
    const char* expected;
  };
  const Row rows[] = {
      {"after an insertion",
       {insert_at_line(2, "x\ny"), edit_lines(5, 5, "five")},
       "1\nx\ny\n2\n3\n4\nfive\n6\n7\n8\n9\n"},
      {"after a deletion", {delete_lines(1, 3), delete_lines(5, 6)}, "4\n7\n8\n9\n"},
      {"after a replacement by more",
       {edit_lines(2, 3, "a\nb\nc\nd"), edit_lines(4, 4, "four")},
       "1\na\nb\nc\nd\nfour\n5\n6\n7\n8\n9\n"},
      {"before the first edit",
       {delete_lines(8, 9), insert_at_line(1, "x")},
       "x\n1\n2\n3\n4\n5\n6\n7\n"},
      {"after two edits",
       {delete_lines(1, 1), insert_at_line(3, "x"), edit_lines(9, 9, "nine")},
       "2\nx\n3\n4\n5\n6\n7\n8\nnine\n"},
      {"two insertions at one line",
       {insert_at_line(9, "x"), insert_at_line(9, "y")},
       "1\n2\n3\n4\n5\n6\n7\n8\nx\ny\n9\n"},
      {"an insertion before and after replaced lines",
       {edit_lines(4, 5, "x"), insert_at_line(4, "before"), insert_at_line(6, "after")},
       "1\n2\n3\nbefore\nx\nafter\n6\n7\n8\n9\n"},
      {"a repeated line",
       {insert_at_line(5, "5"), edit_lines(5, 5, "five")},
       "1\n2\n3\n4\n5\nfive\n6\n7\n8\n9\n"},
      {"after replaced text",
       {R"({"action": "replace_text", "path": "f", "old": "2\n", "new": "x\ny\nz\n"})",
        edit_lines(7, 7, "seven")},
       "1\nx\ny\nz\n3\n4\n5\n6\nseven\n8\n9\n"},
      {"a read between them shows only later replies new numbers",
       {delete_lines(1, 2),
        R"({"action": "get_lines", "path": "f", "start_line": 1, "end_line": 9})",
        delete_lines(3, 3)},
       "4\n5\n6\n7\n8\n9\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", kNineLines);
    bench.ok("file", R"({"action": "read", "path": "f"})");
    bench.one_call_per_reply = false;
    for (const std::string& call : row.calls) bench.ok("code_edit", call);
    CHECK(bench.get("f") == row.expected);
  }
}

TEST_CASE("line views: numbers of a reply are those that the one before was shown") {
  ToolBench bench;
  bench.put("f", kNineLines);
  bench.ok("code_edit", insert_at_line(1, "x\ny"));
  bench.ok("code_edit", edit_lines(5, 5, "three"));
  CHECK(bench.get("f") == "x\ny\n1\n2\nthree\n4\n5\n6\n7\n8\n9\n");
}

TEST_CASE("line views: a whole file that was written has its own numbers") {
  ToolBench bench;
  bench.put("f", kNineLines);
  bench.one_call_per_reply = false;
  bench.ok("code_edit", delete_lines(1, 3));
  bench.ok("file", R"({"action": "write", "path": "f", "content": "a\nb\nc\n"})");
  bench.ok("code_edit", edit_lines(2, 2, "x"));
  CHECK(bench.get("f") == "a\nx\nc\n");
}

TEST_CASE("line views: lines that an earlier call of the reply changed are refused and shown") {
  struct Row {
    const char* name;
    std::string first;
    std::string second;
    const char* shown;
  };
  const Row rows[] = {
      {"the same lines", edit_lines(5, 5, "x"), edit_lines(5, 5, "y"),
       "2\t2\n3\t3\n4\t4\n5\tx\n6\t6\n7\t7\n8\t8\n"},
      {"lines that were deleted", delete_lines(3, 5), edit_lines(5, 6, "y"),
       "1\t1\n2\t2\n3\t6\n4\t7\n5\t8\n6\t9\n"},
      {"lines around an insertion", insert_at_line(2, "x"), delete_lines(1, 2),
       "1\t1\n2\tx\n3\t2\n4\t3\n5\t4\n6\t5\n"},
      {"an insertion into replaced lines", edit_lines(8, 9, "x"), insert_at_line(9, "y"),
       "5\t5\n6\t6\n7\t7\n8\tx\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", kNineLines);
    bench.one_call_per_reply = false;
    bench.ok("code_edit", row.first);
    const std::string after = bench.get("f");
    CHECK(
        bench.refused("code_edit", row.second) ==
        std::string("f: nothing was edited, the lines have changed since they were shown; now:\n") +
            row.shown);
    CHECK(bench.get("f") == after);
  }
}

TEST_CASE("line views: lines that something else changed are refused once, and shown") {
  struct Row {
    const char* name;
    const char* now;
    std::string call;
    const char* shown;
    const char* expected;
  };
  const Row rows[] = {
      {"the line itself", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", edit_lines(5, 5, "x"),
       "2\t2\n3\t3\n4\t4\n5\tfive\n6\t6\n7\t7\n8\t8\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"},
      {"lines moved", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", delete_lines(2, 2),
       "1\t0\n2\t1\n3\t2\n4\t3\n5\t4\n", "0\n2\n3\n4\n5\n6\n7\n8\n9\n"},
      {"an insertion", "1\n2\n4\n5\n6\n7\n8\n9\n", insert_at_line(4, "x"),
       "1\t1\n2\t2\n3\t4\n4\t5\n5\t6\n6\t7\n", "1\n2\n4\nx\n5\n6\n7\n8\n9\n"},
      {"the neighbour of equal lines", "1\n2\n3\n4\n4\n5\n6\n7\n8\n9\n", delete_lines(4, 4),
       "1\t1\n2\t2\n3\t3\n4\t4\n5\t4\n6\t5\n7\t6\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("f", kNineLines);
    bench.ok("file", R"({"action": "read", "path": "f"})");
    bench.put("f", row.now);
    const ToolResult refused = bench.run("code_edit", row.call);
    CHECK_FALSE(refused.ok);
    CHECK(refused.may_repeat);
    CHECK(
        refused.text ==
        std::string("f: nothing was edited, the lines have changed since they were shown; now:\n") +
            row.shown);
    CHECK(bench.get("f") == row.now);
    bench.ok("code_edit", row.call);
    CHECK(bench.get("f") == row.expected);
  }
}

TEST_CASE("line views: lines are edited that were not shown, or are as they were shown") {
  ToolBench bench;
  bench.put("f", kNineLines);
  bench.ok("file", R"({"action": "read", "path": "f", "start_line": 5})");
  bench.put("f", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  bench.ok("code_edit", edit_lines(6, 6, "six"));
  bench.ok("code_edit", edit_lines(1, 1, "x"));
  CHECK(bench.get("f") == "x\n2\n3\n4\n5\nsix\n7\n8\n9\n");
  bench.put("f", "1\n");
  CHECK(bench.refused("code_edit", edit_lines(6, 6, "x")) ==
        "f: there is no line 6: the file has 1 line");
  bench.ok("file", R"({"action": "read", "path": "f"})");
  bench.ok("code_edit", insert_at_line(2, "2"));
  CHECK(bench.get("f") == "1\n2\n");
}

}  // namespace pedro
