#include "agent/check_files.h"

#include <doctest/doctest.h>

#include <map>

#include "base/json.h"
#include "base/text.h"
#include "sys/file_system.h"

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
  for (const char* path :
       {"src/a.py", "main.c", "README.md", "scripts/other.sh", "src/checker.py", "latest.py",
        "verifying.c", "go.sum", "json.py", "src/main.inc.c", "a.txt", "src/b.py", "c.txt"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, checks).empty());
  }
}

TEST_CASE("check_files: settings of runners in any language") {
  for (const char* path : {"Cargo.toml",
                           "crates/a/Cargo.toml",
                           "go.mod",
                           "go.work",
                           "jest.config.cjs",
                           "vitest.config.mts",
                           "vite.config.ts",
                           ".mocharc.yml",
                           "karma.conf.js",
                           "tsconfig.json",
                           ".babelrc",
                           "Makefile.inc",
                           "rules.mk",
                           "CTestCustom.cmake",
                           "CMakePresets.json",
                           "meson.options",
                           "pytest.toml",
                           ".pytest.ini",
                           "a.pth",
                           ".python-version",
                           ".env",
                           "node_modules/jest/index.js",
                           "vendor/modules.txt",
                           "phpunit.xml.dist",
                           ".rspec",
                           "Rakefile",
                           "gradle.properties",
                           "build.gradle.kts",
                           "a.csproj",
                           "PyProject.TOML",
                           ".gitlab/ci.yml",
                           "Directory.Build.props",
                           "rust-toolchain.toml",
                           ".proverc",
                           "Taskfile.yml",
                           "BUILD",
                           "BUILD.bazel",
                           "WORKSPACE",
                           "mypy.ini",
                           "ruff.toml",
                           ".flake8",
                           ".eslintrc.json",
                           "eslint.config.mjs",
                           ".golangci.yml",
                           ".nycrc",
                           "phpunit.xml",
                           "rebar.config",
                           "dune",
                           "a-1.dist-info/entry_points.txt",
                           "a.egg-info/PKG-INFO",
                           "sitecustomize.py",
                           "usercustomize.py",
                           "Package.swift",
                           "build.zig",
                           "dart_test.yaml",
                           "testng.xml",
                           "checks.am"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, {}) == std::set<std::string>{path});
  }
}

TEST_CASE("check_files: scripts that the definitions of the base run, and what these run") {
  const std::map<std::string, std::string> files = {
      {"Makefile",
       "-include config.inc\ntest: app\n\t@sh ci/all.sh\n\t./smoke\n\t./app < in.txt\n"},
      {"config.inc", "X = 1"},
      {"ci/all.sh",
       "#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\nX=1 sh \"ci/unit.sh\" && cat notes.txt\n"},
      {"ci/lib.sh", "true"},
      {"ci/unit.sh", "python3 scripts/cases.py src/app.py; python3 src/app.py"},
      {"ci/unused.sh", "true"},
      {"smoke", "#!/bin/sh"},
      {"scripts/cases.py", "pass"},
      {"src/app.py", "pass"},
      {"notes.txt", "x"},
      {"in.txt", "x"},
      {"main.c", "x"},
      {"json.py", "mine"},
      {"package.json", R"({"scripts": {"test": "node check.js", "lint": "./lint.sh"}})"},
      {"check.js", "x"},
      {"lint.sh", "x"},
  };
  const TextOfBase base = [&](const std::string& path) {
    const auto file = files.find(path);
    return file == files.end() ? "" : file->second;
  };
  const std::vector<Check> checks = {{"test", "make test && sh new.sh", "Makefile"}};
  std::vector<std::string> changed = {"new.sh", "re.py", "re/x.py", "typing.so", "utils.py"};
  for (const auto& [path, text] : files) changed.push_back(path);
  CHECK(check_files(changed, checks, base) ==
        std::set<std::string>{"Makefile", "check.js", "ci/all.sh", "ci/lib.sh", "ci/unit.sh",
                              "config.inc", "lint.sh", "package.json", "re.py", "re/x.py",
                              "scripts/cases.py", "smoke", "typing.so"});
}

TEST_CASE("check_files: expected outputs count, sources beside them do not") {
  for (const char* path :
       {"golden/a.txt", "expected/a.txt", "snapshots/a.txt", "__snapshots__/a.snap", "a.expected",
        "a.golden", "examples/a.out", "a.approved.txt", "cassettes/a.yaml", "a_expected.json",
        "ui/a.stderr", "a.verified.xml", "fixtures/a.json", "test-data/a.txt"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, {}) == std::set<std::string>{path});
  }
  for (const char* path : {"src/snapshots/make.py", "expect.py", "golden.py", "out/a.c",
                           "reference/a.md", "baseline/a.go", "approved.txt", "src/snap.c"}) {
    CAPTURE(path);
    CHECK(check_files(std::vector<std::string>{path}, {}).empty());
  }
}

TEST_CASE("check_files: no file that a solution of bench/tasks changes defines the checks") {
  const RealFileSystem disk;
  const std::string root = TEST_DATA "/../../bench/tasks/";
  const auto read = [&](const std::string& path) {
    const auto text = disk.read(root + path, std::uint64_t{1} << 20);
    return text ? *text : std::string();
  };
  const auto tasks = disk.list(root);
  REQUIRE(tasks);
  int changed_files = 0;
  for (const FolderEntry& task : *tasks) {
    CAPTURE(task.name);
    const auto settings = parse_json(read(task.name + "/task.json"));
    const std::string patch = read(task.name + "/solution.patch");
    REQUIRE(settings);
    const std::vector<Check> checks = {{"test", settings->value("check", ""), "-test-cmd"}};
    const TextOfBase base = [&](const std::string& path) {
      return read(task.name + "/repo/" + path);
    };
    for (const std::string_view line : split_lines(patch)) {
      constexpr std::string_view kChanged = "+++ b/";
      if (!line.starts_with(kChanged)) continue;
      const std::vector<std::string> changed = {std::string(trim(line.substr(kChanged.size())))};
      CAPTURE(changed[0]);
      CHECK(check_files(changed, checks, base).empty());
      ++changed_files;
    }
  }
  CHECK(changed_files > 50);
}
