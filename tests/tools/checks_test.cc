#include "tools/checks.h"

#include "base/text.h"
#include "support/git_folder.h"
#include "sys/file_system.h"
#include "tools/project_checks.h"
#include "tools/test_results.h"

using namespace pedro;

namespace {

constexpr const char* kCMake =
    "cmake -S . -B build && cmake --build build && "
    "ctest --test-dir build --output-on-failure --no-tests=error";

std::vector<Check> checks_of(const std::map<std::string, std::string>& tree) {
  FakeFileSystem files;
  files.folders["/p"] = true;
  for (const auto& [name, bytes] : tree) files.files["/p/" + name] = bytes;
  const auto work_tree = WorkTree::open(files, "/p");
  REQUIRE(work_tree.ok());
  return detect_checks(*work_tree);
}

/// Returns "SOURCE: COMMAND" for each check, in order.
std::vector<std::string> detected(const std::map<std::string, std::string>& tree) {
  std::vector<std::string> lines;
  for (const Check& check : checks_of(tree)) {
    CHECK(check.name == "test");
    lines.push_back(check.source + ": " + check.command);
  }
  return lines;
}

/// A real folder and the dependencies of its checks.
struct Bench {
  CheckOutcome run(const std::string& command, double timeout_s = 60) {
    const auto tree = WorkTree::open(files, folder.path());
    REQUIRE(tree.ok());
    const auto outcome =
        run_check({"test", command, "a test"}, *tree, processes, {.timeout_s = timeout_s}, cancel);
    REQUIRE(outcome.ok());
    return *outcome;
  }

  TempFolder folder;
  RealFileSystem files;
  RealProcessRunner processes;
  CancelToken cancel;
};

}  // namespace

TEST_CASE("checks: suggests checks from the files of a tree") {
  struct Row {
    const char* name;
    std::map<std::string, std::string> tree;
    std::vector<std::string> expected;
  };
  const Row rows[] = {
      {"nothing", {{"README.md", "test:"}}, {}},
      {"CMake", {{"CMakeLists.txt", ""}}, {std::string("CMakeLists.txt: ") + kCMake}},
      {"CMake with a Makefile around it",
       {{"CMakeLists.txt", ""}, {"Makefile", "test:\n"}},
       {"Makefile: make test"}},
      {"CMake with a Makefile that it made",
       {{"CMakeLists.txt", ""}, {"Makefile", "# CMAKE generated file: DO NOT EDIT!\ntest:\n"}},
       {std::string("CMakeLists.txt: ") + kCMake}},
      {"CMake and Meson are one check",
       {{"CMakeLists.txt", ""}, {"meson.build", ""}},
       {std::string("CMakeLists.txt: ") + kCMake}},
      {"a justfile",
       {{"justfile", "test:\n  cargo test\n"}, {"Cargo.toml", ""}},
       {"justfile: just test"}},
      {"a workflow's script",
       {{".github/workflows/ci.yml",
         "jobs:\n  a:\n    steps:\n    - uses: checkout\n    - run: sudo apt install test-tool\n"
         "    - name: test\n      run: |\n        cd tests && ./unittest.sh\n"}},
       {".github/workflows/ci.yml: cd tests && ./unittest.sh"}},
      {"a Makefile with a test target",
       {{"Makefile", ".PHONY: test\nall test: x\n\tfoo\n"}},
       {"Makefile: make test"}},
      {"a Makefile with only a check target", {{"Makefile", "check:\n"}}, {"Makefile: make check"}},
      {"a Makefile with a variable of that name", {{"Makefile", "test := x\ntest ?= y\n"}}, {}},
      {"a Makefile that only declares it phony", {{"Makefile", ".PHONY: test\n\ttest:\n"}}, {}},
      {"a Makefile with a double colon rule",
       {{"Makefile", "test:: a\n"}},
       {"Makefile: make test"}},
      {"GNUmakefile wins", {{"GNUmakefile", "all:\n"}, {"Makefile", "test:\n"}}, {}},
      {"Cargo", {{"Cargo.toml", ""}}, {"Cargo.toml: cargo test --no-fail-fast"}},
      {"Go", {{"go.mod", ""}}, {"go.mod: go build -o /dev/null ./... && go test ./..."}},
      {"npm", {{"package.json", R"({"scripts": {"test": "jest"}})"}}, {"package.json: npm test"}},
      {"npm as npm init leaves it",
       {{"package.json",
         R"({"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}})"}},
       {}},
      {"package.json that is no JSON", {{"package.json", "{"}}, {}},
      {"package.json of another shape", {{"package.json", R"({"scripts": ["test"]})"}}, {}},
      {"pytest, configured and with tests",
       {{"pyproject.toml", "[tool.pytest.ini_options]"}, {"tests/unit/test_a.py", ""}},
       {"pyproject.toml: python3 -m pytest -q"}},
      {"pytest, configured but without tests", {{"pytest.ini", ""}, {"a.py", ""}}, {}},
      {"Python files named like tests, and nothing else",
       {{"pkg/a_test.py", ""}},
       {"test_*.py: python3 -m pytest -q"}},
      {"tests only below a folder that is not ours", {{"node_modules/x/test_a.py", ""}}, {}},
      {"tests only in a folder of builds", {{"out/test_a.py", ""}}, {}},
      {"pytest beside npm needs to be configured",
       {{"package.json", R"({"scripts": {"test": "jest"}})"}, {"scripts/test_a.py", ""}},
       {"package.json: npm test"}},
      {"Cargo with configured pytest runs both",
       {{"Cargo.toml", ""}, {"pytest.ini", ""}, {"tests/test_a.py", ""}},
       {"pytest.ini: python3 -m pytest -q", "Cargo.toml: cargo test --no-fail-fast"}},
      {"a Makefile speaks for npm",
       {{"Makefile", "test:\n"}, {"package.json", R"({"scripts": {"test": "jest"}})"}},
       {"Makefile: make test"}},
      {"meson",
       {{"meson.build", ""}},
       {"meson.build: { test -d build || meson setup build; } && "
        "meson test -C build --print-errorlogs"}},
      {"Maven with its wrapper", {{"pom.xml", ""}, {"mvnw", ""}}, {"pom.xml: ./mvnw -B -q test"}},
      {"Gradle", {{"build.gradle.kts", ""}}, {"build.gradle.kts: gradle --console=plain test"}},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.name));
    CHECK(join(detected(row.tree), " ; ") == join(row.expected, " ; "));
  }
}

TEST_CASE("checks: further candidates, in order") {
  struct Row {
    const char* name;
    std::map<std::string, std::string> tree;
    std::vector<std::string> expected;
  };
  const std::string build = "cmake -S . -B build && cmake --build build";
  for (const Row& row : std::vector<Row>{
           {"CMake", {{"CMakeLists.txt", ""}}, {kCMake, build}},
           {"CMake and Meson",
            {{"CMakeLists.txt", ""}, {"meson.build", ""}},
            {kCMake,
             "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs",
             build}},
           {"pytest's file names", {{"test_a.py", "import pytest\n"}}, {"python3 -m pytest -q"}},
           {"unittest at the root",
            {{"test_a.py", "import unittest\n"}},
            {"python3 -m pytest -q", "python3 -m unittest -q"}},
           {"unittest with a suffix",
            {{"book_test.py", "import unittest\n"}},
            {"python3 -m pytest -q", "python3 -m unittest discover -q -p '*_test.py'"}},
           {"unittest in a folder",
            {{"tests/test_a.py", "import unittest\n"}},
            {"python3 -m pytest -q", "python3 -m unittest discover -q -s 'tests'"}},
           {"unittest in a package",
            {{"tests/test_a.py", "from unittest import TestCase\n"}, {"tests/__init__.py", ""}},
            {"python3 -m pytest -q", "python3 -m unittest discover -q -s 'tests' -t ."}},
           {"a Makefile, then what is there beside it",
            {{"Makefile", "check:\n"}, {"Cargo.toml", ""}},
            {"make check", "cargo test --no-fail-fast"}},
       }) {
    CAPTURE(std::string(row.name));
    const std::vector<Check> checks = checks_of(row.tree);
    REQUIRE(checks.size() == 1);
    std::vector<std::string> commands = {checks[0].command};
    for (const Check& other : checks[0].instead) commands.push_back(other.command);
    CHECK(join(commands, " ; ") == join(row.expected, " ; "));
    CHECK(checks[0].is_guess);
  }
}

TEST_CASE("checks: a run without tests is distinguished from a failed run") {
  struct Row {
    const char* command;
    const char* output;
    int exit_code;
    const char* reason;
  };
  for (const Row& row : {
           Row{"python3 -m pytest -q", "/usr/bin/python3: No module named pytest", 1,
               "/usr/bin/python3: No module named pytest"},
           Row{"python3 -m pytest -q", "ModuleNotFoundError: No module named 'store'", 1, ""},
           Row{"python3 -m pytest -q", "collected 0 items\n\nno tests ran in 0.01s", 5,
               "collected 0 items"},
           Row{"python3 -m pytest", "collected 0 items / 1 error\n1 error in 0.1s", 2, ""},
           Row{"python3 -m unittest -q", "Ran 0 tests in 0.000s\n\nOK", 0, "Ran 0 tests in 0.000s"},
           Row{"python3 -m unittest -q", "Ran 3 tests in 0.000s\n\nFAILED (failures=1)", 1, ""},
           Row{"meson test", "sh: 1: meson: not found", 127, "sh: 1: meson: not found"},
           Row{"./run", "", 126, "exit 126"},
           Row{"make test", "/bin/sh: 1: tox: not found\nmake: *** [Makefile:2: test] Error 127", 2,
               "make: *** [Makefile:2: test] Error 127"},
           Row{"make test", "a.c:3: error: x\nmake: *** [Makefile:2: test] Error 1", 2, ""},
           Row{"ctest", "No tests were found!!!", 8, "No tests were found!!!"},
           Row{"go test ./...", "?   \ta\t[no test files]\n", 0, "no test files"},
           Row{"go test ./...", "?   \ta\t[no test files]\nok  \ta/b\t0.1s\n", 0, ""},
           Row{"cargo test", "running 0 tests\n\ntest result: ok. 0 passed", 0, "no test files"},
           Row{"cargo test", "running 2 tests\n\nrunning 0 tests\n", 0, ""},
           Row{"cargo test", "error[E0425]: x\n", 101, ""},
           Row{"npm test", "npm error Missing script: \"test\"", 1,
               "npm error Missing script: \"test\""},
           Row{"make test", "make: 'test' is up to date.\n", 0, "make: 'test' is up to date."},
           Row{"make test", "make: 'stamp' is up to date.\n", 0, ""},
           Row{"make test", "cc a.c\nmake: 'test' is up to date.\n", 0, ""},
           Row{"true", "", 0, ""},
       }) {
    CAPTURE(row.output);
    CHECK(tests_nothing(row.command, row.output, row.exit_code) == row.reason);
  }
}

TEST_CASE("checks: names and reasons end with a whole character") {
  std::string umlauts;
  for (int i = 0; i < 91; ++i) umlauts += "\u00E4";
  const std::string line = "no tests found: " + umlauts + "a";  // 199 bytes
  CHECK(tests_nothing("make test", line + "\u00E4\n", 1) == line);
}

TEST_CASE("checks: a passed check prints nothing, a failed one prints its errors") {
  Bench bench;
  const CheckOutcome passed = bench.run("echo well");
  CHECK(passed.passed);
  CHECK(passed.output.empty());
  const CheckOutcome failed = bench.run("echo a.cc:1: error; exit 3");
  CHECK_FALSE(failed.passed);
  CHECK(failed.exit_code == 3);
  CHECK(failed.output == "a.cc:1: error\n[exit 3]");
  CHECK(all_passed({passed}));
  CHECK_FALSE(all_passed({passed, failed}));
  CHECK(all_passed({}));
}

TEST_CASE("checks: the pre-commit hook sees the changes staged, and leaves the index alone") {
  GitFolder folder;
  folder.init();
  folder.put("a.txt", "one\n");
  folder.commit_all("first");
  RealFileSystem files;
  RealProcessRunner processes;
  const CancelToken cancel;
  const auto tree = WorkTree::open(files, folder.tree());
  REQUIRE(tree.ok());
  const auto run = [&] {
    return *run_check(pre_commit_check(), *tree, processes, {.timeout_s = 60}, cancel);
  };
  folder.put("a.txt", "two\n");
  folder.put("new.txt", "new\n");
  CHECK(run().passed);
  folder.put(".git/hooks/pre-commit", "#!/bin/sh\ngit diff --cached --name-only; exit 1\n");
  std::filesystem::permissions(folder.at("tree/.git/hooks/pre-commit"),
                               std::filesystem::perms::owner_all);
  const CheckOutcome refused = run();
  CHECK_FALSE(refused.passed);
  CHECK(refused.output.find("a.txt\nnew.txt") != std::string::npos);
  CHECK(folder.git({"status", "--short"}) == "M a.txt\n?? new.txt");

  // Changes the file within the second of the index's time stamp, with the same length ("racy
  // git").
  const auto then =
      std::filesystem::last_write_time(folder.at("tree/a.txt")) - std::chrono::seconds(10);
  const auto set_time = [&](const char* path) {
    std::filesystem::last_write_time(folder.at(path), then);
  };
  folder.git({"config", "core.trustctime", "false"});
  set_time("tree/a.txt");
  folder.git({"add", "a.txt"});
  folder.git({"commit", "--quiet", "--no-verify", "-m", "second"});
  set_time("tree/.git/index");
  folder.put("a.txt", "six\n");
  set_time("tree/a.txt");
  CHECK(run().output.find("a.txt\nnew.txt") != std::string::npos);
}

TEST_CASE("checks: a deadline ends the check, and its output is kept") {
  Bench bench;
  const CheckOutcome outcome = bench.run("echo begun; sleep 60", 0.3);
  CHECK(outcome.timed_out);
  CHECK(outcome.output == "begun\n[timed out after 0.3 s; the process group was ended]");
}

TEST_CASE("checks: the tree's own path does not show") {
  Bench bench;
  const CheckOutcome outcome = bench.run("echo \"$PWD/src/a.cc:3: error: x\"; false");
  CHECK(outcome.output == "src/a.cc:3: error: x\n[exit 1]");
}

TEST_CASE("checks: an interrupt is an error") {
  Bench bench;
  bench.cancel.cancel(2);
  const auto tree = WorkTree::open(bench.files, bench.folder.path());
  REQUIRE(tree.ok());
  const auto outcome =
      run_check({"test", "true", "a test"}, *tree, bench.processes, {.timeout_s = 5}, bench.cancel);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::kInterrupted);
}

TEST_CASE("checks: a test run that was interrupted in an endless loop is still a check") {
  Bench bench;
  bench.folder.write("test_loop.py",
                     "import unittest\n\ndef count():\n    while True:\n        pass\n\n"
                     "class LoopTest(unittest.TestCase):\n    def test_it(self):\n"
                     "        count()\n");
  const CheckOutcome outcome = bench.run("python3 -m unittest -q", 2);
  CHECK(outcome.timed_out);
  CHECK_FALSE(outcome.passed);
  CHECK(outcome.tests_nothing.empty());
  CHECK(outcome.output.find(", in count\n") != std::string::npos);
}
