#include <doctest/doctest.h>

#include "sys/file_system.h"
#include "tools/project_checks.h"

using namespace pedro;

TEST_CASE("focused_test: the line that runs a file or a case") {
  struct Row {
    const char* name;
    const char* marker;
    TestFocus focus;
    std::string expected;
  };
  const Row rows[] = {
      {"ctest by case",
       "CMakeLists.txt",
       {"", "parser.*"},
       "cmake -S . -B build && cmake --build build && "
       "ctest --test-dir build --output-on-failure --no-tests=error -R 'parser.*'"},
      {"ctest by file",
       "CMakeLists.txt",
       {"tests/a.cc", ""},
       "refused: ctest cannot run files: give `case`, a regex of names"},
      {"pytest by file",
       "pytest.ini",
       {"tests/test_a.py", ""},
       "python3 -m pytest -q './tests/test_a.py'"},
      {"pytest by file and case",
       "pytest.ini",
       {"tests/test_a.py", "test_x"},
       "python3 -m pytest -q './tests/test_a.py::test_x'"},
      {"pytest by case", "pytest.ini", {"", "test_x"}, "python3 -m pytest -q -k 'test_x'"},
      {"go by file and case", "go.mod", {"pkg/a_test.go", "TestA"}, "go test -run 'TestA' './pkg'"},
      {"go by case", "go.mod", {"", "TestA"}, "go test -run 'TestA' './...'"},
      {"cargo by case", "Cargo.toml", {"", "a::b"}, "cargo test --no-fail-fast 'a::b'"},
      {"cargo by file of tests/",
       "Cargo.toml",
       {"tests/it.rs", ""},
       "cargo test --no-fail-fast --test 'it'"},
      {"cargo by another file",
       "Cargo.toml",
       {"src/lib.rs", ""},
       "refused: cargo runs single files only from tests/: give `case` instead"},
      {"npm by file", "package.json", {"src/a.test.js", ""}, "npm test -- 'src/a.test.js'"},
      {"npm by case", "package.json", {"", "it works"}, "npm test -- -t 'it works'"},
      {"meson",
       "meson.build",
       {"", "unit"},
       "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs 'unit'"},
      {"Maven by file and case",
       "pom.xml",
       {"src/test/java/ATest.java", "x"},
       "mvn -B -q test -Dtest='ATest#x'"},
      {"Maven by bare case",
       "pom.xml",
       {"", "x"},
       "refused: Maven takes a `file`, or a `case` written Class#method"},
      {"Gradle by case", "build.gradle", {"", "A.x"}, "gradle --console=plain test --tests '*A.x'"},
      {"make",
       "Makefile",
       {"", "x"},
       "refused: `make test` runs all tests only: call run without file and case, or run a part of "
       "it "
       "with bash"},
      {"a quote does not end the word",
       "Cargo.toml",
       {"", "a'; rm -rf ~; '"},
       "cargo test --no-fail-fast 'a'\\''; rm -rf ~; '\\'''"},
      {"an option for a case",
       "Cargo.toml",
       {"", "--help"},
       "refused: a `case` must not begin with '-'"},
      {"no project",
       "README.md",
       {"", "x"},
       "refused: no checks are known for this project: use bash"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    FakeFileSystem files;
    files.files[std::string("/p/") + row.marker] = std::string_view(row.marker) == "package.json"
                                                       ? R"({"scripts": {"test": "jest"}})"
                                                       : "test:\n";
    if (std::string_view(row.marker) == "pytest.ini") files.files["/p/tests/test_a.py"] = "";
    const auto tree = WorkTree::open(files, "/p");
    REQUIRE(tree.ok());
    const auto line = focused_test(detect_checks(*tree), row.focus);
    CHECK((line ? *line : "refused: " + line.error().message) == row.expected);
  }
}

TEST_CASE("focused_test: with several languages, the file decides") {
  FakeFileSystem files;
  files.files = {{"/p/Cargo.toml", ""}, {"/p/pytest.ini", ""}, {"/p/tests/test_a.py", ""}};
  const auto tree = WorkTree::open(files, "/p");
  REQUIRE(tree.ok());
  CHECK(*focused_test(detect_checks(*tree), {"tests/test_a.py", ""}) ==
        "python3 -m pytest -q './tests/test_a.py'");
  CHECK(*focused_test(detect_checks(*tree), {"tests/a.rs", ""}) ==
        "cargo test --no-fail-fast --test 'a'");
}

TEST_CASE("focused_test: the part is made of the check's own command") {
  struct Row {
    const char* command;
    TestFocus focus;
    std::string expected;  // "": the command is refused
  };
  for (const Row& row : {
           Row{"python3 -m unittest -q", {"test_a.py", ""}, "python3 -m unittest -q 'test_a.py'"},
           Row{"python3 -m unittest discover -q -s tests",
               {"tests/test_a.py", "test_x"},
               "python3 -m unittest -q 'tests/test_a.py' -k 'test_x'"},
           Row{"python3 -m unittest discover -q -s tests",
               {"", "test_x"},
               "python3 -m unittest discover -q -s tests -k 'test_x'"},
           Row{"cd sub && pytest", {"", "x"}, "cd sub && pytest -k 'x'"},
           Row{"pytest | tee log", {"", "x"}, ""},
           Row{"pytest && echo well", {"", "x"}, ""},
           Row{"sh run-tests.sh", {"", "x"}, ""},
       }) {
    CAPTURE(row.command);
    const auto line = focused_test({{"test", row.command, "-test-cmd"}}, row.focus);
    CHECK((line ? *line : "") == row.expected);
    if (!line) CHECK(line.error().message.find(row.command) != std::string::npos);
  }
}
