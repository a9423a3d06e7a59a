#include <doctest/doctest.h>

#include <chrono>

#include "base/text.h"
#include "diagnostics/language_servers.h"
#include "support/temp_folder.h"

namespace pedro::diagnostics {
namespace {

struct Finder {
  TempFolder folder;
  RealProcessRunner commands;
  RealProcessRunner runner;
  CancelToken cancel;
  std::vector<std::string> notices;
  LanguageServers servers;

  explicit Finder(std::vector<ServerRow> rows = builtin_servers())
      : servers(
            std::move(rows), [this](const ServerRow&) { return Result<ProcessRunner*>(&runner); },
            commands, folder.path(), [this](const std::string& text) { notices.push_back(text); }) {
  }

  std::optional<References> find(ReferenceQuestion question) {
    for (const SourceText& file : question.files) folder.write(file.path, file.text);
    const auto found = servers.find(question, cancel);
    REQUIRE(found.ok());
    return *found;
  }
};

ReferenceQuestion question_for(const std::string& text) {
  return {{{"a.own", text}}, {{0, 1, 1}}, false};
}

// Rustup installs a program that only fails.
bool is_usable(Finder& finder, const std::string& program) {
  if (finder.commands.find(program).empty()) return false;
  if (program != "rust-analyzer") return true;
  const auto version = finder.commands.run({.argv = {program, "--version"}}, finder.cancel);
  return version.ok() && version->ok();
}

// A server for "*.own" that writes `answer` after a request for references.
std::vector<ServerRow> shell_server(const std::string& answer) {
  const std::string script =
      "frame() { printf 'Content-Length: %d\\r\\n\\r\\n%s' ${#1} \"$1\"; }\n"
      "published() { frame \"{\\\"method\\\":\\\"textDocument/publishDiagnostics\\\","
      "\\\"params\\\":{\\\"uri\\\":\\\"file://$PWD/a.own\\\",\\\"diagnostics\\\":[]}}\"; }\n"
      "place() { echo "
      "\"{\\\"uri\\\":\\\"$1\\\",\\\"range\\\":{\\\"start\\\":{\\\"line\\\":$2}}}\"; }\n"
      "frame '{\"id\":1,\"result\":{\"capabilities\":{\"referencesProvider\":true,"
      "\"definitionProvider\":{}}}}'\n"
      "while read -r line; do case $line in\n"
      "*didOpen*) published;;\n"
      "*textDocument/references*) " +
      answer + ";;\nesac; done";
  return {{"own", {{*Glob::parse("*.own"), "own"}}, {"sh", "-c", script}, {}}};
}

}  // namespace

TEST_CASE("references: real servers tell two functions of one name apart") {
  struct Row {
    std::string program;
    std::vector<SourceText> files;
    ReferenceQuestion::Position position;
    std::set<LinePlace> uses;
  };
  const Row rows[] = {
      {"clangd",
       {{"a.h", "struct A { int next(); };\nstruct B { int next(); };\n"},
        {"a.cc", "#include \"a.h\"\nint A::next() { return 1; }\n"},
        {"b.cc",
         "#include \"a.h\"\nint B::next() { return 2; }\n"
         "int f(A a, B b) {\n  /* \xC3\xA9\xF0\x9F\x98\x80 */ return a.next()\n"
         "    + b.next();\n}\n"},
        {"compile_flags.txt", "-std=c++20\n"}},
       {2, 4, 30},
       {{"a.h", 1}, {"a.cc", 2}, {"b.cc", 4}}},
      {"gopls",
       {{"a.go",
         "package a\n\ntype A struct{}\ntype B struct{}\n\nfunc (A) Next() int { return 1 }\n"
         "func (B) Next() int { return 2 }\n"},
        {"b.go", "package a\n\nfunc f(a A, b B) int {\n\treturn a.Next() +\n\t\tb.Next()\n}\n"},
        {"go.mod", "module a\n\ngo 1.20\n"}},
       {0, 6, 10},
       {{"a.go", 6}, {"b.go", 4}}},
      {"pyright-langserver",
       {{"a.py",
         "class A:\n  def next(self):\n    return 1\nclass B:\n  def next(self):\n"
         "    return 2\n"},
        {"b.py", "from a import A, B\n\n\ndef f(a: A, b: B):\n  a.next()\n  b.next()\n"},
        {"pyrightconfig.json", "{}\n"}},
       {0, 2, 7},
       {{"a.py", 2}, {"b.py", 5}}},
      {"rust-analyzer",
       {{"src/main.rs",
         "struct A;\nstruct B;\nimpl A { fn next(&self) {} }\n"
         "impl B { fn next(&self) {} }\nfn main() {\n    A.next();\n"
         "    B.next();\n}\n"},
        {"Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"}},
       {0, 3, 13},
       {{"src/main.rs", 3}, {"src/main.rs", 6}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.program);
    Finder finder;
    if (!is_usable(finder, row.program)) {
      MESSAGE("not installed: ", row.program);
      continue;
    }
    std::optional<References> found;
    for (int i = 0; i < 3 && (!found || found->uses.size() < row.uses.size()); ++i) {
      found = finder.find({row.files, {row.position}, false});  // again on a slow machine
    }
    CAPTURE(join(finder.notices, " "));
    REQUIRE(found);
    CHECK(found->uses == row.uses);
  }
}

TEST_CASE("references: clangd finds the definition of a use") {
  Finder finder;
  if (finder.commands.find("clangd").empty()) {
    MESSAGE("not installed: clangd");
    return;
  }
  const ReferenceQuestion question{{{"b.cc", "#include \"a.h\"\nint g() { return f(); }\n"},
                                    {"a.h", "int f();\n"},
                                    {"a.cc", "#include \"a.h\"\nint f() { return 1; }\n"},
                                    {"compile_flags.txt", "-std=c++20\n"}},
                                   {{0, 2, 18}},
                                   true};
  std::optional<References> found;
  for (int i = 0; i < 3 && (!found || found->definitions.empty()); ++i) {
    found = finder.find(question);
  }
  REQUIRE(found);
  CHECK(found->definitions == std::set<LinePlace>{{"a.cc", 2}});
  CHECK(found->uses == std::set<LinePlace>{{"a.cc", 2}, {"a.h", 1}, {"b.cc", 2}});
  CHECK(found->by == "clangd");
  CHECK(found->unread == std::set<std::string>{"compile_flags.txt"});
}

TEST_CASE("references: places outside of the project do not count") {
  Finder finder(shell_server(
      "frame \"{\\\"id\\\":2,\\\"result\\\":[$(place file:///etc/passwd 0),"
      "$(place http://a.own 0),$(place file://$PWD/a%2Eown 4),$(place file://$PWD/a.own -7),"
      "$(place file://$PWD/a.own 99999999999999),$(place file://${PWD}x/a.own 1),3,null,{}]}\""));
  const auto found = finder.find(question_for("x\n"));
  REQUIRE(found);
  CHECK(found->uses == std::set<LinePlace>{{"a.own", 1}, {"a.own", 5}, {"a.own", 1'000'000'001}});
  CHECK(found->unread.empty());
}

TEST_CASE("references: stale and failed answers have no places") {
  for (const char* answer :
       {"frame '{\"id\":1,\"result\":[{}]}'; frame '{\"id\":2,\"error\":{\"code\":-32601}}'",
        "frame '{\"id\":2,\"result\":null}'", "frame '{\"id\":2,\"result\":{\"a\":1}}'",
        "frame '{\"id\":2,\"result\":\"text\"}'"}) {
    CAPTURE(answer);
    Finder finder(shell_server(answer));
    const auto found = finder.find(question_for("x\n"));
    REQUIRE(found);
    CHECK(found->uses.empty());
    CHECK(finder.notices.empty());
  }
}

TEST_CASE("references: hostile servers are dropped with one notice") {
  struct Row {
    const char* name;
    std::string answer;
    const char* reason;
  };
  const Row rows[] = {
      {"10 MB of places",
       "printf 'Content-Length: 10485760\\r\\n\\r\\n['; yes '{},' | head -c 10485759",
       "writes a frame of 10485760 bytes, the limit is 4194304"},
      {"a flood of other answers", "while :; do frame '{\"id\":9,\"result\":[]}'; done",
       "answers with a flood of messages"},
      {"a wrong frame", "printf 'Hello: you\\r\\n\\r\\n'", "writes a frame without its length"},
      {"its end", "exit 3", "exit code 3"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Finder finder(shell_server(row.answer));
    for (int i = 0; i < 2; ++i) CHECK_FALSE(finder.find(question_for("x\n")));
    REQUIRE(finder.notices.size() == 1);
    CHECK(finder.notices[0].find(row.reason) != std::string::npos);
    CHECK_FALSE(finder.servers.knows("a.own"));
  }
}

TEST_CASE("references: many places are bounded") {
  Finder finder(shell_server(
      "body=$(awk -v uri=\"file://$PWD/a.own\" 'BEGIN { printf \"{\\\"id\\\":2,\\\"result\\\":[\"; "
      "for (i = 0; i < 20000; ++i) printf \"%s{\\\"uri\\\":\\\"%s\\\",\\\"range\\\":"
      "{\\\"start\\\":{\\\"line\\\":%d}}}\", i ? \",\" : \"\", uri, i; print \"]}\" }'); "
      "frame \"$body\""));
  const auto found = finder.find(question_for("x\n"));
  REQUIRE(found);
  CHECK(found->uses.size() == 5000);
}

TEST_CASE("references: a server that hangs has a limited time") {
  TempFolder folder;
  RealProcessRunner runner;
  const CancelToken cancel;
  for (const char* script : {"cat >/dev/null", ""}) {
    const auto rows =
        *script == '\0' ? shell_server("sleep 60")
                        : std::vector<ServerRow>{
                              {"own", {{*Glob::parse("*.own"), "own"}}, {"sh", "-c", script}, {}}};
    const auto server = LanguageServer::start(rows[0], runner, folder.path(), cancel);
    REQUIRE(server.ok());
    const auto begin = std::chrono::steady_clock::now();
    const auto found = (*server)->references(rows[0], question_for("x\n"), 0.5, cancel);
    REQUIRE(found.ok());
    CHECK_FALSE(found->has_value());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  }
}

TEST_CASE("references: a server without the ability is not asked") {
  const std::string script =
      "printf 'Content-Length: 38\\r\\n\\r\\n%s' '{\"id\":1,\"result\":{\"capabilities\":{}}} '; "
      "while read -r line; do case $line in *didOpen*) exit 3;; esac; done";
  Finder finder({{"own", {{*Glob::parse("*.own"), "own"}}, {"sh", "-c", script}, {}}});
  CHECK_FALSE(finder.find(question_for("x\n")));
  CHECK(finder.notices.empty());
}

}  // namespace pedro::diagnostics
