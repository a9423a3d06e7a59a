#include "agent/check_files.h"

#include <doctest/doctest.h>

using namespace pedro;

TEST_CASE("check_files: tests and files that define the checks") {
  const std::vector<Check> checks = {
      {"test", "sh -e scripts/run.sh a.txt && ./verify src/b.py; grep good c.txt", "-test-cmd"}};
  for (const char* path :
       {"Makefile", "sub/GNUmakefile", "CMakeLists.txt", "cmake/x.cmake", "package.json",
        "conftest.py", "pyproject.toml", ".gitattributes", ".github/workflows/ci.yml",
        "tests/test_a.py", "a_test.go", "tests/run.sh", "pytest.py", "pytest/__init__.py", "test",
        "check", "scripts/run.sh", "verify", ".cargo/config.toml"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, checks) == std::set<std::string>{path});
  }
  for (const char* path : {"src/a.py", "main.c", "README.md", "scripts/other.sh", "src/checker.py",
                           "latest.py", "verifying.c", "go.sum", "a.txt", "src/b.py", "c.txt"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, checks).empty());
  }
}
