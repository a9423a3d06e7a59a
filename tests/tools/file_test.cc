#include <doctest/doctest.h>

#include <filesystem>

#include "base/text.h"
#include "tools/tool_bench.h"

namespace pedro {

using Paths = std::vector<std::string>;

TEST_CASE("file read: numbers lines, whole or in part") {
  ToolBench bench;
  bench.put("src/a.cc", "one\ntwo\nthree\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "src/a.cc"})") ==
        "src/a.cc (lines 1-3 of 3)\n1\tone\n2\ttwo\n3\tthree\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "./src//a.cc", "start_line": 2})") ==
        "src/a.cc (lines 2-3 of 3)\n2\ttwo\n3\tthree\n");
  CHECK(bench.ok("file",
                 R"({"action": "read", "path": "src/a.cc", "start_line": 2, "end_line": 99})") ==
        "src/a.cc (lines 2-3 of 3)\n2\ttwo\n3\tthree\n");
  CHECK(bench.refused("file", R"({"action": "read", "path": "src/a.cc", "start_line": 4})") ==
        "src/a.cc: there is no line 4: the file has 3 lines");
  CHECK(bench.refused(
            "file", R"({"action": "read", "path": "src/a.cc", "start_line": 3, "end_line": 2})") ==
        "src/a.cc: start_line 3 is after end_line 2");
  bench.put("empty", "");
  CHECK(bench.ok("file", R"({"action": "read", "path": "empty"})") == "empty is empty");
}

TEST_CASE("file read: a long file says how to read on") {
  ToolBench bench;
  std::string text;
  for (int i = 1; i <= 3000; ++i) text += "x\n";
  bench.put("long.txt", text);
  const std::string first = bench.ok("file", R"({"action": "read", "path": "long.txt"})");
  CHECK(first.starts_with("long.txt (lines 1-2000 of 3000)\n1\tx\n"));
  CAPTURE(first.substr(first.size() - 200));
  CHECK(first.ends_with("2000\tx\n[... 1000 more lines; read on with start_line 2001 ...]\n"));
  const std::string rest =
      bench.ok("file", R"({"action": "read", "path": "long.txt", "start_line": 2001})");
  CHECK(rest.ends_with("\n3000\tx\n"));

  bench.put("wide.txt", std::string(5000, 'y') + "\nz\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "wide.txt"})") ==
        "wide.txt (lines 1-2 of 2)\n1\t" + std::string(2000, 'y') +
            " [... 3000 more bytes in this line]\n2\tz\n");
}

TEST_CASE("file read: a binary file is reported as such") {
  ToolBench bench;
  bench.put("a.bin", std::string("\x7f"
                                 "ELF\0\1",
                                 6));
  CHECK(bench.refused("file", R"({"action": "read", "path": "a.bin"})") ==
        "a.bin is a binary file (6 bytes), not text");
  bench.put("latin1.txt", "caf\xe9\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": "latin1.txt"})") ==
        "latin1.txt (lines 1-1 of 1; not UTF-8: other bytes are shown as U+FFFD)\n"
        "1\tcaf\xEF\xBF\xBD\n");
  bench.put("big.txt", std::string(11 << 20, 'x') + "\ny\n");
  CHECK(bench.refused("file", R"({"action": "read", "path": "big.txt"})") ==
        "big.txt has 11534339 bytes: give start_line and end_line, or search it first");
  CHECK(bench.ok("file", R"({"action": "read", "path": "big.txt", "start_line": 2})") ==
        "big.txt (lines 2-2 of 2)\n2\ty\n");
  std::filesystem::resize_file(bench.path("big.txt"), 2ull << 30);  // sparse
  CHECK(
      bench.refused("file", R"({"action": "read", "path": "big.txt", "end_line": 2})") ==
      "big.txt has 2147483648 bytes, more than the limit of 104857600; search find_in_file works");
}

TEST_CASE("file: a path that is not there names the nearest") {
  ToolBench bench;
  bench.put("src/parser.cc", "x\n");
  bench.put("src/parser.h", "x\n");
  bench.put("docs/readme.md", "x\n");
  bench.put("src/deep/twice_here.cc", "x\n");
  bench.put("docs/twice_here.cc", "x\n");
  struct Row {
    const char* path;
    const char* expected;
  };
  const Row rows[] = {
      {"src/parsr.cc", "no such file: src/parsr.cc; nearest in src: parser.cc, parser.h"},
      {"scr/parser.cc", "no such file: scr/parser.cc; the only file of that name is src/parser.cc"},
      {"scr/readme.txt", "no such file: scr/readme.txt; nearest in .: src/"},
      {"a/twice_here.cc",
       "no such file: a/twice_here.cc; nothing in . is named like 'a', try search find_files"},
      {"src/parser.cc/x", "no such file: src/parser.cc/x; nearest in src: parser.cc, parser.h"},
      {"src/zzzzzz",
       "no such file: src/zzzzzz; nothing in src is named like 'zzzzzz', try search find_files"},
      {"src", "src is a folder; navigate list_directory lists it"},
      {"../x", "'../x' is outside the project; paths are relative to its root"},
      {".git/config", "'.git/config' belongs to git; nothing in .git can be used"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    CHECK(bench.refused("file", to_line(Json{{"action", "read"}, {"path", row.path}})) ==
          row.expected);
  }
}

TEST_CASE("file, code_edit: pedrocli's own settings can be read, and changed by no action") {
  ToolBench bench;
  bench.put(".pedrocli.json", "{}\n");
  bench.put(".pedro/prompts/system.md", "Be kind.\n");
  bench.put("a.txt", "a\n");
  CHECK(bench.ok("file", R"({"action": "read", "path": ".pedrocli.json"})").ends_with("1\t{}\n"));
  struct Row {
    const char* tool;
    const char* call;
  };
  const Row rows[] = {
      {"file", R"({"action": "write", "path": ".pedrocli.json", "content": "x"})"},
      {"file", R"({"action": "write", "path": ".pedro/agents/new/agent.md", "content": "x"})"},
      {"file", R"({"action": "append", "path": ".pedro/prompts/system.md", "content": "x"})"},
      {"file", R"({"action": "replace", "path": ".pedrocli.json", "old": "{", "new": "["})"},
      {"file", R"({"action": "delete", "path": ".pedrocli.json"})"},
      {"file", R"({"action": "move", "path": ".pedrocli.json", "to": "b"})"},
      {"file", R"({"action": "move", "path": "a.txt", "to": ".pedro/b"})"},
      {"code_edit", R"({"action": "edit_lines", "path": ".pedrocli.json", "start_line": 1,
                        "end_line": 1, "new_content": "x"})"},
      {"code_edit",
       R"({"action": "insert_at_line", "path": ".pedrocli.json", "line_number": 1, "content": "x"})"},
      {"code_edit",
       R"({"action": "delete_lines", "path": ".pedrocli.json", "start_line": 1, "end_line": 1})"},
      {"code_edit",
       R"({"action": "replace_text", "path": ".pedrocli.json", "old": "{", "new": "["})"}};
  for (const Row& row : rows) {
    CAPTURE(row.call);
    CHECK(bench.refused(row.tool, row.call).find("which only the user changes") !=
          std::string::npos);
  }
  CHECK(bench.get(".pedrocli.json") == "{}\n");
  CHECK(bench.get(".pedro/prompts/system.md") == "Be kind.\n");
}

TEST_CASE("file write: makes folders, keeps the mode, reports the result") {
  ToolBench bench;
  const ToolResult created =
      bench.run("file", R"({"action": "write", "path": "a/b/c d\n.txt", "content": "x\ny\n"})");
  CHECK(created.text == "a/b/c d\n.txt created (2 lines, 4 bytes)");
  CHECK(created.changed == Paths{"a/b/c d\n.txt"});
  CHECK(bench.get("a/b/c d\n.txt") == "x\ny\n");

  bench.put("run.sh", "#!/bin/sh\n");
  std::filesystem::permissions(bench.path("run.sh"), std::filesystem::perms(0755));
  const ToolResult replaced =
      bench.run("file", R"({"action": "write", "path": "run.sh", "content": "#!/bin/sh\nls\n"})");
  CHECK(replaced.text == "run.sh replaced (2 lines, 13 bytes)");
  CHECK(bench.files.info(bench.path("run.sh")).mode == 0755);

  const ToolResult same =
      bench.run("file", R"({"action": "write", "path": "run.sh", "content": "#!/bin/sh\nls\n"})");
  CHECK(same.ok);
  CHECK(same.text == "run.sh already reads like that; nothing changed");
  CHECK(same.changed.empty());
  CHECK(bench.refused("file", R"({"action": "write", "path": "a/b", "content": ""})") ==
        "a/b is a folder; give the path of a file");
  CHECK(bench.refused("file", R"({"action": "write", "path": "run.sh/x", "content": ""})")
            .starts_with("cannot make the folder run.sh: "));
}

TEST_CASE("file write: a text without a last line end gets one") {
  struct Row {
    const char* content;
    const char* expected;
  };
  for (const Row& row : {Row{"x", "x\n"}, Row{"x\ny", "x\ny\n"}, Row{"x\r\ny", "x\r\ny\r\n"},
                         Row{"x\n", "x\n"}, Row{"x\n\n", "x\n\n"}, Row{"", ""}}) {
    CAPTURE(row.content);
    for (const char* action : {"write", "append"}) {
      ToolBench bench;
      bench.ok("file",
               to_line(Json{{"action", action}, {"path", "new"}, {"content", row.content}}));
      CHECK(bench.get("new") == row.expected);
    }
  }
  ToolBench bench;
  bench.put("old", "x");
  CHECK(bench.ok("file", R"({"action": "write", "path": "old", "content": "x"})") ==
        "old already reads like that; nothing changed");
}

TEST_CASE("file write: the form of shown lines and of code blocks is removed") {
  struct Row {
    const char* name;
    const char* path;
    const char* before;
    const char* content;
    const char* after;
    const char* repaired;
  };
  for (const Row& row : {
           Row{"line numbers", "a.py", "a\nb\n", "1\ta\n2\tc\n", "a\nc\n",
               "/content: without the line numbers"},
           Row{"a table", "a.tsv", "1\ta\n", "1\ta\n2\tb\n", "1\ta\n2\tb\n", ""},
           Row{"numbers that begin elsewhere", "a.py", "a\n", "2\ta\n", "2\ta\n", ""},
           Row{"a code block", "a.py", "a\n", "```python\nb\n```", "b\n",
               "/content: without the fence of a code block"},
           Row{"two code blocks", "a.txt", "a\n", "```\nb\n```\n```\nc\n```\n",
               "```\nb\n```\n```\nc\n```\n", ""},
           Row{"Markdown", "a.md", "a\n", "```\nb\n```\n", "```\nb\n```\n", ""},
           Row{"escaped line ends", "a.py", "a\nb\n", "a\\nc\\n", "a\nc\n",
               "/content: line ends in place of their escapes"},
           Row{"an escape in a line", "a.py", "a\nb\n", "print('\\n')", "print('\\n')\n", ""},
       }) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put(row.path, row.before);
    const ToolResult result = bench.run(
        "file", to_line(Json{{"action", "write"}, {"path", row.path}, {"content", row.content}}));
    CHECK_MESSAGE(result.ok, result.text);
    CHECK(bench.get(row.path) == row.after);
    CHECK(join(result.repaired, "; ") == row.repaired);
  }
  ToolBench bench;
  bench.put("new/x", "");
  CHECK(bench.run("file", R"({"action":"write","path":"t.tsv","content":"1\ta\n"})").ok);
  CHECK(bench.get("t.tsv") == "1\ta\n");
}

TEST_CASE("file append: begins a line of its own") {
  ToolBench bench;
  bench.put("a", "one");
  CHECK(bench.ok("file", R"({"action": "append", "path": "a", "content": "two\n"})") ==
        "a: appended; now:\n1\tone\n2\ttwo\n");
  CHECK(bench.get("a") == "one\ntwo");
  bench.put("crlf", "one\r\n");
  bench.ok("file", R"({"action": "append", "path": "crlf", "content": "two\nthree\n"})");
  CHECK(bench.get("crlf") == "one\r\ntwo\r\nthree\r\n");
  CHECK(bench.ok("file", R"({"action": "append", "path": "new/n", "content": "x\n"})") ==
        "new/n created (1 line, 2 bytes)");
}

TEST_CASE("file replace: an old text with line numbers, or with characters that look the same") {
  struct Row {
    const char* name;
    const char* file;
    const char* old_text;
    const char* new_text;
    const char* after;
    const char* repaired;
  };
  const Row rows[] = {
      {"line numbers", "a\nb\nc\n", "2\tb\n3\tc", "2\tB\n3\tC", "a\nB\nC\n",
       "/old: without the line numbers"},
      {"line numbers in the old text only", "a\nb\n", "2\tb", "x\ty", "a\nx\ty\n",
       "/old: without the line numbers"},
      {"a table that has numbers itself", "1\ta\n2\tb\n", "2\tb", "2\tc", "1\ta\n2\tc\n", ""},
      {"a no-break space", "x =\u00A01;\n", "x = 1;", "x = 2;", "x = 2;\n",
       "/old: characters that look the same"},
      {"quotes in both texts", "print(\"bad\")\n", "print(\u201Cbad\u201D)",
       "print(\u201Cgood\u201D)", "print(\"good\")\n",
       "/old: characters that look the same; /new: the characters of the file"},
      {"a quote of the new text", "x = 1\n", "x\u00A0= 1", "x\u00A0= \"\u201C\"",
       "x = \"\u201C\"\n", "/old: characters that look the same; /new: the characters of the file"},
      {"full-width brackets", "f(1)\n", "f\uFF081\uFF09", "f(2)", "f(2)\n",
       "/old: characters that look the same"},
      {"line numbers of grep", "a\n  b\n", "2:  b", "2:  c", "a\n  c\n",
       "/old: without the line numbers"},
      {"line numbers before a bar", "a\n  b\n", "2 |   b", "2 |   c", "a\n  c\n",
       "/old: without the line numbers"},
      {"escapes of line ends", "a\nb\n", "a\\nb", "a\\nc", "a\nc\n",
       "/old: line ends in place of their escapes"},
      {"entities", "a & b\n", "a &amp; b", "a &lt; b", "a < b\n", "/old: without entities"},
      {"both", "x =\u00A01;\n", "1\tx = 1;", "1\tx = 2;", "x = 2;\n",
       "/old: without the line numbers; /old: characters that look the same"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    ToolBench bench;
    bench.put("a.cc", row.file);
    const ToolResult result = bench.run("file", to_line(Json{{"action", "replace"},
                                                             {"path", "a.cc"},
                                                             {"old", row.old_text},
                                                             {"new", row.new_text}}));
    CHECK_MESSAGE(result.ok, result.text);
    CHECK(bench.get("a.cc") == row.after);
    CHECK(join(result.repaired, "; ") == row.repaired);
  }
}

TEST_CASE("file replace: replaces unambiguous text") {
  ToolBench bench;
  bench.put("a.cc", "int a = 1;\nint b = 2;\nint c = 1;\n");
  const ToolResult once =
      bench.run("file", R"({"action": "replace", "path": "a.cc", "old": "b = 2", "new": "b = 3"})");
  CHECK(once.ok);
  CHECK(once.text ==
        "a.cc: 1 occurrence replaced; now:\n1\tint a = 1;\n2\tint b = 3;\n3\tint c = 1;\n");
  CHECK(once.changed == Paths{"a.cc"});

  CHECK(bench.refused("file",
                      R"({"action": "replace", "path": "a.cc", "old": "= 1", "new": "= 9"})") ==
        "a.cc: the old text occurs 2 times, at lines 1, 3; give more surrounding lines");
  CHECK(bench.refused("file",
                      R"({"action": "replace", "path": "a.cc", "old": "int b = 4;", "new": ""})") ==
        "a.cc: the old text does not occur; the closest lines are:\n2\tint b = 3;\n");
  CHECK(
      bench.refused(
          "file",
          R"({"action": "replace", "path": "a.cc", "old": "  int b = 3;\n    int c = 1;\n", "new": ""})") ==
      "a.cc: the old text does not occur; these lines differ only in blanks:\n2\tint b = "
      "3;\n3\tint c = 1;\n");
  CHECK(
      bench.refused(
          "file",
          R"({"action": "replace", "path": "a.cc", "old": "while (true) launch();", "new": ""})") ==
      "a.cc: the old text does not occur, nor anything like it; read the file first");
  CHECK(bench.refused("file",
                      R"({"action": "replace", "path": "a.cc", "old": "int b", "new": "int b"})") ==
        "a.cc: nothing to do, the file already reads like that");
  CHECK(bench.get("a.cc") == "int a = 1;\nint b = 3;\nint c = 1;\n");

  CHECK(bench.ok(
            "file",
            R"({"action": "replace", "path": "a.cc", "old": "= 1", "new": "= 9", "all": true})") ==
        "a.cc: 2 occurrences replaced; now:\n1\tint a = 9;\n2\tint b = 3;\n3\tint c = 9;\n");
  CHECK(bench.get("a.cc") == "int a = 9;\nint b = 3;\nint c = 9;\n");
}

TEST_CASE("file replace: an edit that empties the file says so") {
  ToolBench bench;
  bench.put("a", "x\n");
  CHECK(bench.ok("file", R"({"action": "replace", "path": "a", "old": "x\n", "new": ""})") ==
        "a: 1 occurrence replaced; the file is empty now");
}

TEST_CASE("file delete and move") {
  ToolBench bench;
  bench.put("a", "x");
  bench.put("b", "y");
  bench.put("folder/c", "z");
  const ToolResult moved =
      bench.run("file", R"({"action": "move", "path": "a", "to": "new/place/a"})");
  CHECK(moved.text == "a moved to new/place/a");
  CHECK(moved.changed == Paths{"a", "new/place/a"});
  CHECK(bench.get("new/place/a") == "x");
  CHECK(!bench.exists("a"));
  CHECK(bench.refused("file", R"({"action": "move", "path": "b", "to": "new/place/a"})") ==
        "new/place/a exists; delete it first or choose another name");
  CHECK(bench.refused("file", R"({"action": "move", "path": "b", "to": "folder"})") ==
        "folder is a folder; to move the file into it use folder/b");
  CHECK(bench.refused("file", R"({"action": "move", "path": "b", "to": "../b"})") ==
        "'../b' is outside the project; paths are relative to its root");

  const ToolResult deleted = bench.run("file", R"({"action": "delete", "path": "b"})");
  CHECK(deleted.text == "b deleted");
  CHECK(deleted.changed == Paths{"b"});
  CHECK(!bench.exists("b"));
  CHECK(bench.refused("file", R"({"action": "delete", "path": "folder"})") ==
        "folder is a folder; navigate list_directory lists it");
}

TEST_CASE("file: links inside are followed, links out are refused") {
  ToolBench bench;
  bench.put("real.txt", "x\n");
  std::filesystem::create_symlink("real.txt", bench.path("link.txt"));
  std::filesystem::create_symlink("/etc/passwd", bench.path("out.txt"));
  bench.ok("file", R"({"action": "write", "path": "link.txt", "content": "y\n"})");
  CHECK(bench.get("real.txt") == "y\n");
  CHECK(std::filesystem::is_symlink(bench.path("link.txt")));
  CHECK(bench.refused("file", R"({"action": "read", "path": "out.txt"})") ==
        "'out.txt' leads outside the project through a link");
  bench.ok("file", R"({"action": "delete", "path": "link.txt"})");
  CHECK(bench.get("real.txt") == "y\n");
}

}  // namespace pedro
