#include <doctest/doctest.h>

#include <filesystem>

#include "tools/tool_bench.h"

namespace pedro {

TEST_CASE("navigate list_directory: entries with sizes, hidden ones when asked") {
  ToolBench bench;
  bench.make_repository();
  bench.put("a.txt", "12345");
  bench.put("src/b", "");
  bench.put(".env", "x");
  std::filesystem::create_symlink("a.txt", bench.path("link"));
  CHECK(bench.ok("navigate", R"({"action": "list_directory"})") ==
        "./\na.txt (5 bytes)\nlink (link)\nsrc/\n");
  CHECK(bench.ok("navigate", R"({"action": "list_directory", "show_hidden": true})") ==
        "./\n.env (1 byte)\na.txt (5 bytes)\nlink (link)\nsrc/\n");
  CHECK(bench.ok("navigate", R"({"action": "list_directory", "directory": "src"})") ==
        "src/\nb (0 bytes)\n");
  std::filesystem::create_directory(bench.path("none"));
  CHECK(bench.ok("navigate", R"({"action": "list_directory", "directory": "none"})") ==
        "none/\n(empty)\n");
  CHECK(bench.refused("navigate", R"({"action": "list_directory", "directory": "sr"})") ==
        "no such folder: sr; nearest in .: src/");
  CHECK(bench.refused("navigate", R"({"action": "list_directory", "directory": ".git"})") ==
        "'.git' belongs to git; nothing in .git can be used");
}

TEST_CASE("navigate list_directory: many entries are counted") {
  ToolBench bench;
  for (int i = 0; i < 301; ++i) bench.put("f" + std::to_string(1000 + i), "");
  CHECK(bench.ok("navigate", R"({"action": "list_directory"})")
            .ends_with("f1299 (0 bytes)\n[... 1 more entry not shown ...]\n"));
}

TEST_CASE("navigate get_tree: files that are not ignored, to the requested depth") {
  struct Setting {
    const char* name;
    bool is_repository;
    bool has_rg;
  };
  const Setting settings[] = {{"repository", true, false},
                              {"plain folder with ripgrep", false, true},
                              {"plain folder", false, false}};
  for (const Setting& setting : settings) {
    CAPTURE(setting.name);
    ToolBench bench;
    if (setting.is_repository) bench.make_repository();
    if (!setting.has_rg) bench.processes.hidden.insert("rg");
    bench.put(".gitignore", "build/\nnode_modules/\n");
    bench.put("README.md", "x");
    bench.put("a/b/c/d/deep.txt", "x");
    bench.put("a/b/c/e.txt", "x");
    bench.put("a/z.txt", "x");
    bench.put("build/out.o", "x");
    bench.put("node_modules/x/index.js", "x");
    CHECK(bench.ok("navigate", R"({"action": "get_tree"})") ==
          "./\n.gitignore\nREADME.md\na/\n  b/\n    c/ (2 files)\n  z.txt\n");
    CHECK(bench.ok("navigate", R"({"action": "get_tree", "max_depth": 1})") ==
          "./\n.gitignore\nREADME.md\na/ (3 files)\n");
    CHECK(bench.ok("navigate", R"({"action": "get_tree", "directory": "a/b", "max_depth": 10})") ==
          "a/b/\nc/\n  d/\n    deep.txt\n  e.txt\n");
  }
}

TEST_CASE("navigate get_file_outline: with ctags, and by the look of the lines without") {
  const std::string source =
      "#include <string>\n"
      "namespace n {\n"
      "class Foo {\n"
      " public:\n"
      "  int bar(int x);\n"
      "};\n"
      "int Foo::bar(int x) {\n"
      "  int local = x;\n"
      "  return local;\n"
      "}\n"
      "}\n";
  ToolBench bench;
  bench.put("a.cc", source);
  CHECK(bench.ok("navigate", R"({"action": "get_file_outline", "path": "a.cc"})") ==
        "a.cc (11 lines)\n2\tnamespace n {\n3\tclass Foo {\n5\t  int bar(int x);\n7\tint "
        "Foo::bar(int x) {\n");
  CHECK(bench.processes.ran.contains("ctags"));
  bench.processes.hidden.insert("ctags");
  CHECK(bench.ok("navigate", R"({"action": "get_file_outline", "path": "a.cc"})") ==
        "a.cc (11 lines)\n2\tnamespace n {\n3\tclass Foo {\n7\tint Foo::bar(int x) {\n");
  bench.put("notes.txt", "nothing here\n");
  CHECK(bench.ok("navigate", R"({"action": "get_file_outline", "path": "notes.txt"})") ==
        "notes.txt (1 line): no definitions found; file read shows it");
}

TEST_CASE("navigate get_file_outline: methods of a Python class are shown") {
  ToolBench bench;
  bench.put("a.py", "class Foo:\n    def bar(self):\n        x = 1\n        return x\n");
  for (const bool has_ctags : {true, false}) {
    CAPTURE(has_ctags);
    if (!has_ctags) bench.processes.hidden.insert("ctags");
    CHECK(bench.ok("navigate", R"({"action": "get_file_outline", "path": "a.py"})") ==
          "a.py (4 lines)\n1\tclass Foo:\n2\t    def bar(self):\n");
  }
}

TEST_CASE("navigate get_file_outline: a name that looks like an option is a name") {
  ToolBench bench;
  bench.put("-R.cc", "int f() { return 1; }\n");
  CHECK(bench.ok("navigate", R"({"action": "get_file_outline", "path": "-R.cc"})") ==
        "-R.cc (1 line)\n1\tint f() { return 1; }\n");
}

TEST_CASE("navigate find_imports: with line numbers") {
  ToolBench bench;
  bench.put("m.go", "package m\n\nimport (\n\t\"fmt\"\n\tx \"os\"\n)\n");
  CHECK(bench.ok("navigate", R"({"action": "find_imports", "path": "m.go"})") ==
        "m.go\n4\t\"fmt\"\n5\tx \"os\"\n");
  bench.put("n.go", "package m\n");
  CHECK(bench.ok("navigate", R"({"action": "find_imports", "path": "n.go"})") ==
        "n.go imports nothing");
}

TEST_CASE("navigate get_map: files by the use of their names, within the budget") {
  for (const bool has_ctags : {true, false}) {
    CAPTURE(has_ctags);
    ToolBench bench;
    bench.make_repository();
    if (!has_ctags) bench.processes.hidden.insert("ctags");
    bench.put("src/rare.py", "def seldom():\n  return 1\n");
    bench.put("src/often.py", "def unused():\n  pass\n\n\ndef often():\n  return 1\n");
    bench.put("lib/a.py", "from often import often\n\ndef first():\n  return often()\n");
    bench.put("lib/b.py", "from often import often\n\ndef second():\n  return seldom()\n");
    bench.put("notes.txt", "seldom seldom seldom\n");
    CHECK(bench.ok("navigate", R"({"action": "get_map"})") ==
          "Files by the use of their names in other files, with NAME:LINE\n"
          "src/often.py: often:5, unused:1\nsrc/rare.py: seldom:1\n"
          "lib/a.py: first:3\nlib/b.py: second:3\n");
    CHECK(bench.ok("navigate", R"({"action": "get_map", "directory": "src"})") ==
          "Files by the use of their names in other files, with NAME:LINE\n"
          "src/often.py: often:5, unused:1\nsrc/rare.py: seldom:1\n");
    CHECK(bench.ok("navigate", R"({"action": "get_map", "directory": ".git/.."})")
              .starts_with("Files by"));
    bench.put("doc/x.md", "x\n");
    CHECK(bench.ok("navigate", R"({"action": "get_map", "directory": "doc"})") ==
          "doc/ has no source files with definitions");
  }
}

TEST_CASE("navigate get_map: a project that exceeds the budget") {
  ToolBench bench;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int k = 0; k < 20; ++k) {
      text += "int function_" + std::to_string(i) + "_" + std::to_string(k) + "() { return 1; }\n";
    }
    bench.put("src/file" + std::to_string(1000 + i) + ".cc", text);
  }
  bench.put("src/use.cc", "int use() { return function_299_7(); }\n");
  for (const std::size_t budget : {100, 1000, 5000}) {
    CAPTURE(budget);
    const std::string map = bench.ok(
        "navigate", R"({"action": "get_map", "max_tokens": )" + std::to_string(budget) + "}");
    CHECK(map.size() <= 3 * budget);
    CHECK(map.find("more files not shown; give a directory or a larger max_tokens ...]\n") !=
          std::string::npos);
    if (budget > 100) {
      CHECK(map.find("\nsrc/file1299.cc: function_299_7:8, function_299_0:1, ") == map.find('\n'));
      CHECK(map.size() > 3 * budget - 400);
    }
  }
}

}  // namespace pedro
