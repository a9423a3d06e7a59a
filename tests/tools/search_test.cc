#include <doctest/doctest.h>

#include <filesystem>

#include "tools/tool_bench.h"

namespace pedro {
namespace {

/// The environment of a search: with or without ripgrep, in a repository or not.
struct Setting {
  const char* name;
  bool has_rg;
  bool is_repository;
};

constexpr Setting kSettings[] = {
    {"ripgrep in a repository", true, true},
    {"ripgrep in a plain folder", true, false},
    {"git in a repository", false, true},
    {"git in a plain folder", false, false},
};

void prepare(ToolBench& bench, const Setting& setting) {
  if (setting.is_repository) bench.make_repository();
  if (!setting.has_rg) bench.processes.hidden.insert("rg");
  bench.put(".gitignore", "build/\n");
  bench.put("src/a.cc", "int alpha();\r\nint Beta() { return alpha(); }\n");
  bench.put("src/deep/b.h", "int alpha(int); // -e --help\n");
  bench.put("odd name:1:2:x.py", "alpha = 'a[0]'\n");
  bench.put(".hidden.txt", "alpha\n");
  bench.put("build/out.txt", "alpha\n");
  bench.put("bin.dat", std::string("alpha\0\n", 7));
  if (setting.is_repository) bench.git({"add", "src/a.cc"});
}

std::string search(ToolBench& bench, const std::string& args) {
  return bench.ok("search", args);
}

}  // namespace

TEST_CASE("search grep: the same with ripgrep and with git, in a repository and outside") {
  struct Row {
    const char* name;
    const char* args;
    const char* expected;
  };
  const Row rows[] = {
      {"everything but ignored, binary and .git", R"({"action": "grep", "pattern": "alpha"})",
       ".hidden.txt:1: alpha\n"
       "odd name:1:2:x.py:1: alpha = 'a[0]'\n"
       "src/a.cc:1: int alpha();\n"
       "src/a.cc:2: int Beta() { return alpha(); }\n"
       "src/deep/b.h:1: int alpha(int); // -e --help\n"},
      {"a regular expression, in a folder",
       R"({"action": "grep", "pattern": "alpha\\((int)?\\);", "directory": "src"})",
       "src/a.cc:1: int alpha();\n"
       "src/a.cc:2: int Beta() { return alpha(); }\n"
       "src/deep/b.h:1: int alpha(int); // -e --help\n"},
      {"a glob picks files by name",
       R"({"action": "grep", "pattern": "alpha", "file_pattern": "*.{h,py}"})",
       "odd name:1:2:x.py:1: alpha = 'a[0]'\n"
       "src/deep/b.h:1: int alpha(int); // -e --help\n"},
      {"a glob with '/' starts at the directory",
       R"({"action": "grep", "pattern": "alpha", "directory": "src", "file_pattern": "deep/*"})",
       "src/deep/b.h:1: int alpha(int); // -e --help\n"},
      {"letters of any case", R"({"action": "grep", "pattern": "BETA", "case_insensitive": true})",
       "src/a.cc:2: int Beta() { return alpha(); }\n"},
      {"literal text", R"({"action": "grep", "pattern": "a[0]", "literal": true})",
       "odd name:1:2:x.py:1: alpha = 'a[0]'\n"},
      {"a pattern is no option", R"({"action": "grep", "pattern": "--help"})",
       "src/deep/b.h:1: int alpha(int); // -e --help\n"},
      {"only so many", R"({"action": "grep", "pattern": "alpha", "max_results": 2})",
       ".hidden.txt:1: alpha\n"
       "odd name:1:2:x.py:1: alpha = 'a[0]'\n"
       "[... 3 more matches in 2 files; narrow pattern, directory or file_pattern ...]\n"},
      {"no match is an answer", R"({"action": "grep", "pattern": "gamma", "directory": "src"})",
       "no matches for 'gamma' in src"},
      {"no such files either", R"({"action": "grep", "pattern": "alpha", "file_pattern": "*.rs"})",
       "no files in the project are named like '*.rs'"},
  };
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    prepare(bench, setting);
    for (const Row& row : rows) {
      CAPTURE(row.name);
      CHECK(search(bench, row.args) == row.expected);
    }
    CHECK(bench.processes.ran.contains("rg") == setting.has_rg);
  }
}

TEST_CASE("search grep: refuses an invalid search with the reason") {
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    prepare(bench, setting);
    const std::string bad = bench.refused("search", R"({"action": "grep", "pattern": "foo("})");
    CHECK(bad.starts_with("the search failed: "));
    CHECK(bad.ends_with("\n\"literal\": true searches for the exact text"));
    CHECK(bench.refused("search", R"({"action": "grep", "pattern": "a\nb"})") ==
          "a pattern is one line of text");
    CHECK(bench.refused("search", R"({"action": "grep", "pattern": "a", "file_pattern": "{a"})") ==
          "bad pattern '{a': '{' is not closed by '}'");
    CHECK(bench.refused("search", R"({"action": "grep", "pattern": "a", "directory": "srcs"})") ==
          "no such folder: srcs; nearest in .: src/");
    CHECK(
        bench.refused("search", R"({"action": "grep", "pattern": "a", "directory": "src/a.cc"})") ==
        "src/a.cc is a file, not a folder; its folder is src");
    CHECK(bench.refused("search", R"({"action": "grep", "pattern": "a", "directory": "../.."})") ==
          "'../..' is outside the project; paths are relative to its root");
  }
}

TEST_CASE("search grep: a long line is cut around its match") {
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    if (!setting.has_rg) bench.processes.hidden.insert("rg");
    bench.put("min.js", std::string(5000, 'x') + "needle" + std::string(5000, 'y') + "\n");
    CHECK(search(bench, R"({"action": "grep", "pattern": "needle"})") ==
          "min.js:1: ... " + std::string(60, 'x') + "needle" + std::string(166, 'y') + " ...\n");
  }
}

TEST_CASE("search grep: thousands of files are searched in several goes") {
  ToolBench bench;
  const std::string folder = "a-rather-long-folder-name-to-fill-a-command-line/";
  for (int i = 0; i < 2000; ++i) {
    bench.put(folder + std::to_string(i) + ".txt", i % 500 == 0 ? "needle\n" : "hay\n");
  }
  CHECK(search(bench, R"({"action": "grep", "pattern": "needle", "file_pattern": "*.txt"})") ==
        folder + "0.txt:1: needle\n" + folder + "1000.txt:1: needle\n" + folder +
            "1500.txt:1: needle\n" + folder + "500.txt:1: needle\n");
}

TEST_CASE("search grep: a link that leads out is not followed") {
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    prepare(bench, setting);
    std::filesystem::create_symlink("/etc", bench.path("etc"));
    std::filesystem::create_symlink("/etc/passwd", bench.path("passwd.txt"));
    CHECK(search(bench, R"({"action": "grep", "pattern": "root:"})") ==
          "no matches for 'root:' in the project");
    CHECK(search(bench, R"({"action": "grep", "pattern": "root:", "file_pattern": "*"})") ==
          "no matches for 'root:' in the project");
  }
}

TEST_CASE("search find_files: by name or by path") {
  struct Row {
    const char* args;
    const char* expected;
  };
  const Row rows[] = {
      {R"({"action": "find_files", "pattern": "*.{h,cc}"})", "src/a.cc\nsrc/deep/b.h\n"},
      {R"({"action": "find_files", "pattern": "src/*"})", "src/a.cc\n"},
      {R"({"action": "find_files", "pattern": "src/**"})", "src/a.cc\nsrc/deep/b.h\n"},
      {R"({"action": "find_files", "pattern": "deep/*", "directory": "src"})", "src/deep/b.h\n"},
      {R"({"action": "find_files", "pattern": ".*"})", ".gitignore\n.hidden.txt\n"},
      {R"({"action": "find_files", "pattern": "*:*"})", "odd name:1:2:x.py\n"},
      {R"({"action": "find_files", "pattern": "*.rs"})",
       "no files in the project are named like '*.rs'; ignored files are skipped"},
      {R"({"action": "find_files", "pattern": "out.txt"})",
       "no files in the project are named like 'out.txt'; ignored files are skipped"},
  };
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    prepare(bench, setting);
    for (const Row& row : rows) {
      CAPTURE(row.args);
      CHECK(search(bench, row.args) == row.expected);
    }
  }
}

TEST_CASE("search find_files: names with line ends, quotes and umlauts; deleted files are gone") {
  ToolBench bench;
  bench.make_repository();
  bench.put("new\nline.txt", "x");
  bench.put("quo\"te.txt", "x");
  bench.put("ümlaut.txt", "x");
  bench.put("gone.txt", "x");
  bench.git({"add", "."});
  std::filesystem::remove(bench.path("gone.txt"));
  CHECK(search(bench, R"({"action": "find_files", "pattern": "*.txt"})") ==
        "new\nline.txt\nquo\"te.txt\nümlaut.txt\n");
}

TEST_CASE("search find_files: many are counted") {
  ToolBench bench;
  for (int i = 0; i < 203; ++i) bench.put("f" + std::to_string(1000 + i), "");
  const std::string text = search(bench, R"({"action": "find_files", "pattern": "f*"})");
  CHECK(text.ends_with("f1199\n[... 3 more files; narrow pattern or directory ...]\n"));
}

TEST_CASE("search find_in_file: one file, ignored or not") {
  for (const Setting& setting : kSettings) {
    CAPTURE(setting.name);
    ToolBench bench;
    prepare(bench, setting);
    CHECK(search(bench, R"({"action": "find_in_file", "path": "src/a.cc", "pattern": "^int B"})") ==
          "src/a.cc:2: int Beta() { return alpha(); }\n");
    CHECK(search(bench,
                 R"({"action": "find_in_file", "path": "build/out.txt", "pattern": "alpha"})") ==
          "build/out.txt:1: alpha\n");
    CHECK(search(bench, R"({"action": "find_in_file", "path": "src/a.cc", "pattern": "zeta"})") ==
          "no matches for 'zeta' in src/a.cc");
    CHECK(bench.refused("search",
                        R"({"action": "find_in_file", "path": "src/a.c", "pattern": "x"})") ==
          "no such file: src/a.c; nearest in src: a.cc");
  }
}

TEST_CASE("search find_definition: with ctags, and by the look of the line without") {
  struct Row {
    const char* args;
    const char* expected;
  };
  const Row rows[] = {
      {R"({"action": "find_definition", "name": "Parser"})",
       "lib/p.py:1: class Parser:\nsrc/p.h:2: class Parser {\n"},
      {R"({"action": "find_definition", "name": "Parser", "language": "c++"})",
       "src/p.h:2: class Parser {\n"},
      {R"({"action": "find_definition", "name": "parse_all", "directory": "src"})",
       "src/p.cc:2: int parse_all(int depth) {\n"},
      {R"_({"action": "find_definition", "name": "parse_all()"})_",
       "src/p.cc:2: int parse_all(int depth) {\n"},
      {R"({"action": "find_definition", "name": "kLimit"})", "src/p.cc:1: #define kLimit 3\n"},
      {R"({"action": "find_definition", "name": "nothing"})",
       "no definition of 'nothing' in the project; grep shows where it is used"},
  };
  for (const bool has_ctags : {true, false}) {
    CAPTURE(has_ctags);
    ToolBench bench;
    if (!has_ctags) bench.processes.hidden = {"ctags", "rg"};
    bench.put(
        "src/p.h",
        "class Other;\nclass Parser {\n public:\n  int next();\n};\nint parse_all(int depth);\n");
    bench.put("src/p.cc",
              "#define kLimit 3\nint parse_all(int depth) {\n  return parse_all(depth - 1);\n}\n");
    bench.put("lib/p.py", "class Parser:\n  def next(self):\n    return Parser()\n");
    for (const Row& row : rows) {
      CAPTURE(row.args);
      CHECK(search(bench, row.args) == row.expected);
    }
    CHECK(bench.processes.ran.contains("ctags") == has_ctags);
    CHECK(bench.refused("search", R"({"action": "find_definition", "name": "a b"})") ==
          "'a b' is not the name of a definition; give one identifier");
  }
}

TEST_CASE("search find_definition: a qualified name is looked for in its scope") {
  ToolBench bench;
  bench.put("a.cc", "int Parser::next() {\n  return 1;\n}\nint Lexer::next() {\n  return 2;\n}\n");
  CHECK(search(bench, R"({"action": "find_definition", "name": "Lexer::next"})") ==
        "a.cc:4: int Lexer::next() {\n");
}

TEST_CASE("search find_definition: the project's own ctags options are not read") {
  ToolBench bench;
  bench.put(".ctags.d/evil.ctags", "--languages=-C++\n");
  // The line alone does not show that it is a definition: only ctags finds it.
  bench.put("a.cc", "enum class Color {\n  kRed,\n};\n");
  CHECK(search(bench, R"({"action": "find_definition", "name": "kRed"})") == "a.cc:2:   kRed,\n");
}

}  // namespace pedro
