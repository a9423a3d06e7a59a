#include <doctest/doctest.h>

#include "tools/text_file.h"
#include "tools/tool_bench.h"

namespace pedro {

#define SHOWN "\xEF\xBF\xBD"

TEST_CASE("placeholder: only text that a tool made up is refused") {
  struct Row {
    const char* name;
    std::string content;
    std::string replaced;
    bool ok;
  };
  const Row rows[] = {
      {"plain text", "a\n", "b\n", true},
      {"U+FFFD for a byte that is not UTF-8", "na" SHOWN "ve", "na\xefve", false},
      {"U+FFFD for a control character", SHOWN "[31m", "\x1b[31m", false},
      {"U+FFFD for a bidirectional control", "a" SHOWN, "a\u202e", false},
      {"U+FFFD in a new text", SHOWN, "", false},
      {"U+FFFD that the file has", "x" SHOWN SHOWN, "y" SHOWN, true},
      {"U+FFFD that the file has beside a form feed", SHOWN, SHOWN "\f", false},
      {"the characters themselves", "\f\nb", "\f\na", true},
      {"a cut line", "k = x [... 2960 more bytes in this line]", "k = xxxx", false},
      {"lines that were not shown", "a\n[... 62 lines not shown ...]\nb\n", "a\n", false},
      {"the end of a view", "[... 1 more line; read on with start_line 9 ...]", "", false},
      {"a part that was left out", "[... 3 bytes left out]", "", false},
      {"a note that the file has", "[... 9 bytes left out]x", "[... 9 bytes left out]", true},
      {"brackets and points of a language", "[... a ...] [...] [... 3]", "", true},
      {"a note over two lines", "[... 3 bytes\n left out]", "", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(without_placeholders(row.content, row.replaced).ok() == row.ok);
  }
  CHECK(without_placeholders(SHOWN, "").error().message ==
        "a tool shows U+FFFD in place of characters that cannot be printed; do not write it: edit "
        "the lines around it, or replace a part of the line");
  CHECK(without_placeholders("x [... 7 more bytes in this line]", "").error().message ==
        "a tool shows \"[... 7 more bytes in this line]\" in place of the rest of a text; do not "
        "write it: edit the lines around it, or replace a part of the line");
}

TEST_CASE("placeholder: no action writes one, and none changes invalid UTF-8") {
  struct Row {
    const char* tool;
    Json args;
  };
  const Row rows[] = {
      {"code_edit",
       {{"action", "edit_lines"}, {"start_line", 2}, {"end_line", 2}, {"new_content", "x" SHOWN}}},
      {"code_edit", {{"action", "insert_at_line"}, {"line_number", 1}, {"content", SHOWN}}},
      {"code_edit", {{"action", "replace_text"}, {"old", "one"}, {"new", SHOWN}}},
      {"code_edit", {{"action", "replace_text"}, {"old", "na" SHOWN "ve"}, {"new", "naive"}}},
      {"file", {{"action", "replace"}, {"old", "one"}, {"new", "[... 3 bytes left out]"}}},
      {"file", {{"action", "append"}, {"content", SHOWN}}},
      {"file", {{"action", "write"}, {"content", "one\nna" SHOWN "ve\n"}}},
      {"file", {{"action", "write"}, {"content", "one\nna\xC3\xAFve\n"}}},
  };
  for (Row row : rows) {
    CAPTURE(to_line(row.args));
    ToolBench bench;
    bench.put("f", "one\nna\xefve\nlast\n");
    row.args["path"] = "f";
    CHECK(bench.refused(row.tool, to_line(row.args)).starts_with("f"));
    CHECK(bench.get("f") == "one\nna\xefve\nlast\n");
  }
  ToolBench bench;
  CHECK(bench.refused("file", R"({"action": "write", "path": "new", "content": ")" SHOWN "\"}") ==
        "new: a tool shows U+FFFD in place of characters that cannot be printed; do not write it: "
        "edit the lines around it, or replace a part of the line");
  CHECK(!bench.exists("new"));
}

TEST_CASE("placeholder: edits beside bytes that are not UTF-8 keep these") {
  ToolBench bench;
  bench.put("f", "\x82\xa0 one\n\f\nna\xefve = 1\n");
  bench.ok("code_edit", R"({"action": "replace_text", "path": "f", "old": "one", "new": "two"})");
  bench.ok("file", R"({"action": "replace", "path": "f", "old": "ve = 1", "new": "ve = 2"})");
  bench.ok("code_edit",
           R"({"action": "insert_at_line", "path": "f", "line_number": 2, "content": "x"})");
  bench.ok("file", R"({"action": "append", "path": "f", "content": "end"})");
  CHECK(bench.get("f") == "\x82\xa0 two\nx\n\f\nna\xefve = 2\nend\n");
}

TEST_CASE("placeholder: a file that is not UTF-8 is written as a whole only after it is deleted") {
  ToolBench bench;
  bench.put("f", "na\xefve\n");
  CHECK(bench.refused("file", R"({"action": "write", "path": "f", "content": "naive\n"})") ==
        "f is not UTF-8, and a whole write would lose its other bytes; edit its lines, or delete "
        "it first");
  bench.ok("file", R"({"action": "delete", "path": "f"})");
  bench.ok("file", R"({"action": "write", "path": "f", "content": "naive\n"})");
  CHECK(bench.get("f") == "naive\n");
}

TEST_CASE("placeholder: a read says once which characters it shows as U+FFFD") {
  struct Row {
    std::string text;
    const char* heading;
  };
  const Row rows[] = {
      {"na\xefve\n\x82\n", "f (lines 1-2 of 2; not UTF-8: other bytes are shown as U+FFFD)\n"},
      {"a\n\f\n", "f (lines 1-2 of 2; control characters are shown as U+FFFD)\n"},
      {"a\n\x1b[31m\n", "f (lines 1-2 of 2; control characters are shown as U+FFFD)\n"},
      {"a\n\u202e\n", "f (lines 1-2 of 2; control characters are shown as U+FFFD)\n"},
      {SHOWN "\n\tb\r\n", "f (lines 1-2 of 2)\n"},
  };
  for (const Row& row : rows) {
    ToolBench bench;
    bench.put("f", row.text);
    CHECK(bench.ok("file", R"({"action": "read", "path": "f"})").starts_with(row.heading));
    CHECK(bench
              .ok("code_edit",
                  R"({"action": "get_lines", "path": "f", "start_line": 1, "end_line": 2})")
              .starts_with(row.heading));
  }
  ToolBench bench;
  bench.put("f", "na\xefve\nplain\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "f", "start_line": 2})") ==
        "f (lines 2-2 of 2)\n2\tplain\n");
}

}  // namespace pedro
