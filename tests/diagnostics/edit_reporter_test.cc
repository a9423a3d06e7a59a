#include "diagnostics/edit_reporter.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "support/temp_folder.h"

namespace pedro::diagnostics {
namespace {

// Runs the real programs of this machine.
struct Reports {
  TempFolder folder;
  RealProcessRunner processes;
  CancelToken cancel;
  std::vector<std::string> notices;
  EditReporter reporter;

  explicit Reports(std::vector<FileCheck> checks = builtin_file_checks())
      : reporter(std::move(checks), processes, folder.path(),
                 [this](const std::string& text) { notices.push_back(text); }) {}

  std::string report(FileEdit edit) {
    const auto text = reporter.report(edit, cancel);
    REQUIRE(text.ok());
    return *text;
  }
};

std::vector<FileCheck> checks_of(const Json& rows) {
  const auto checks = read_file_checks("here", rows);
  REQUIRE(checks.ok());
  return *checks;
}

std::vector<FileCheck> shell_check(const std::string& line) {
  return checks_of({{{"name", "own"}, {"files", {"*.own"}}, {"command", {"sh", "-c", line}}}});
}

}  // namespace

TEST_CASE("edit reporter: real programs find broken syntax") {
  struct Row {
    const char* path;
    const char* good;
    const char* bad;
    const char* expected;  // the start of the place
  };
  const Row rows[] = {
      {"a.py", "x = 1\n", "y = 2\nx = (\n", "a.py:2: "},
      {"a.sh", "if true; then\n  ls\nfi\n", "if true; then\n  ls\n)\n", "a.sh:3: "},
      {"a.c", "int x;\n", "int y;\nint x = ;\n", "a.c:2: error: "},
      {"a.cc", "class A {};\n", "class A {};\nclass B { int };\n", "a.cc:2: error: "},
      {"a.json", "{\"a\": 1}\n", "{\n  \"a\": }\n", "a.json:2: "},
      {"a.go", "package a\n", "package a\nfunc {\n", "a.go:2: "},
      {"a.mjs", "export const a = 1;\n", "export const a = 1;\nlet = = 2;\n", "a.mjs:2: "},
      {"a.cjs", "const a = 1;\n", "const a = 1;\nlet b = = 2;\n", "a.cjs:2: "},
      {"a.rb", "x = 1\n", "x = 1\ndef (\n", "a.rb:"},
      {"a.php", "<?php echo 1;\n", "<?php echo 1;\n$a = ;\n", "a.php:2: "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    Reports reports;
    const auto checks = builtin_file_checks();
    const auto check =
        std::ranges::find_if(checks, [&](const FileCheck& one) { return one.checks(row.path); });
    REQUIRE(check != checks.end());
    if (!check->argv.empty() && reports.processes.find(check->argv[0]).empty()) {
      MESSAGE("not installed: ", check->argv[0]);
      CHECK(reports.report({row.path, row.good, row.bad}).empty());
      continue;
    }
    CHECK(reports.report({row.path, row.bad, row.good}).empty());
    CHECK(reports.report({row.path, std::nullopt, row.good}).empty());
    const std::string text = reports.report({row.path, row.good, row.bad});
    CAPTURE(text);
    CHECK(text.find(std::string("\n") + row.expected) != text.npos);
    CHECK(reports.report({row.path, row.bad, std::string(row.bad) + "\n"}).empty());
    CHECK(reports.notices.empty());
  }
}

TEST_CASE("edit reporter: JSON with comments has no problems") {
  Reports reports;
  for (const char* text : {"{\n  // one\n  \"a\": 1\n}\n", "/* one */\n{}\n"}) {
    CHECK(reports.report({"tsconfig.json", std::nullopt, text}).empty());
  }
  CHECK_FALSE(reports.report({"a.json", std::nullopt, "{\"a\": \"//\",}\n"}).empty());
}

TEST_CASE("edit reporter: an edit that breaks the syntax says how to revert it") {
  Reports reports;
  const auto report = [&](FileEdit edit) { return reports.report(std::move(edit)); };
  CHECK(report({"a.py", "x = 1\ny = 2\nz = 3\n", "x = 1\ny = (\nz = 3\n"}) ==
        "This edit breaks the syntax:\na.py:2: '(' was never closed\n"
        "To revert, replace line 2 by:\ny = 2\n");
  CHECK(report({"a.py", "x = 1\n", "x = 1\ny = (\n"}).ends_with("To revert, delete line 2.\n"));
  CHECK(report({"a.py", "if x:\n  y()\nz()\n", "if x:\nz()\n"})
            .ends_with("To revert, insert before line 2:\n  y()\n"));
  CHECK(report({"a.py", std::nullopt, "x = (\n"}).ends_with("To revert, delete the file.\n"));
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "x = 1\n";
  CHECK(report({"a.py", lines, "x = (\n"})
            .ends_with("To revert, replace line 1 by the 100 lines that were there.\n"));
}

TEST_CASE("edit reporter: an included file that is missing says nothing about the edit") {
  Reports reports;
  CHECK(reports.report({"a.cc", "int x;\n", "#include \"missing.h\"\nint x = ;\n"}).empty());
}

TEST_CASE("edit reporter: only problems that the edit introduces") {
  Reports reports(shell_check("grep -n bad | sed 's/:/: /'"));
  const std::string text = reports.report({"a.own", "bad old\nx\n", "y\nbad old\nbad new\n"});
  CHECK(text == "This edit introduces:\na.own:3: bad new\n");
}

TEST_CASE("edit reporter: hostile checks") {
  SUBCASE("a flood is bounded") {
    Reports reports(shell_check("yes '1: again' | awk '{ print NR $0 }' | head -c 5000000"));
    CHECK(reports.report({"a.own", "", "x\n"}).size() < 4000);
  }
  SUBCASE("output without places") {
    Reports reports(shell_check("echo 'nothing: here'; echo 99999999999999999999: far; exit 7"));
    CHECK(reports.report({"a.own", "", "x\n"}).empty());
  }
  SUBCASE("a program that reads no input and dies") {
    Reports reports(shell_check("kill -9 $$"));
    CHECK(reports.report({"a.own", "", std::string(500000, 'x')}).empty());
  }
}

TEST_CASE("edit reporter: a check that hangs is reported once and not used again") {
  FakeProcessRunner processes;
  processes.installed = {"python3"};
  processes.answer = [](const Command&) {
    return Result<ProcessResult>(ProcessResult{.timed_out = true});
  };
  std::vector<std::string> notices;
  EditReporter reporter(builtin_file_checks(), processes, "/project",
                        [&](const std::string& text) { notices.push_back(text); });
  const CancelToken cancel;
  for (int i = 0; i < 3; ++i) CHECK(reporter.report({"a.py", "", "x\n"}, cancel)->empty());
  CHECK(processes.commands.size() == 1);
  CHECK(notices == std::vector<std::string>{"diagnostics: the check 'python' failed and is not "
                                            "used again: did not end in 10 s"});
}

TEST_CASE("edit reporter: a file without a row or an installed program starts nothing") {
  FakeProcessRunner processes;
  EditReporter reporter(builtin_file_checks(), processes, "/project", [](const std::string&) {});
  const CancelToken cancel;
  for (const char* path : {"a.txt", "Makefile", "a.py", "a.json"}) {
    CHECK(reporter.report({path, "1", "2"}, cancel)->empty());
  }
  CHECK(processes.commands.empty());
}

TEST_CASE("file checks: faulty rows") {
  const auto error = [](const char* rows) {
    const auto checks = read_file_checks("here", *parse_json(rows));
    return checks ? std::string() : checks.error().message;
  };
  CHECK(error(R"([{"files": ["*"]}])") == "here: on_edit: row 1: name: expected a text");
  CHECK(error(R"([{"name": "a", "command": ["b"]}])") ==
        "here: on_edit: row 1: files: expected a list of patterns");
  CHECK(error(R"([{"name": "a", "files": ["*"]}])") ==
        "here: on_edit: row 1: command: expected a list: the program and its arguments");
  CHECK(error("[3]") == "here: on_edit: row 1: name: expected a text");
}

}  // namespace pedro::diagnostics
