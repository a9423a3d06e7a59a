#include "agent/check_files.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

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

TEST_CASE("check_files: finds scripts that the base's definitions run, and the scripts these run") {
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

namespace {

using ScriptFiles = std::map<std::string, std::string>;

// Returns those of the base's files and of `added` that define the check `command`.
std::set<std::string> scripts_of(const std::string& command, const ScriptFiles& files,
                                 const std::vector<std::string>& added = {},
                                 const LinksOfBase& links = {}) {
  const TextOfBase base = [&](const std::string& path) {
    const auto file = files.find(path);
    return file == files.end() ? "" : file->second;
  };
  const std::vector<Check> checks = {{"test", command, "-test-cmd"}};
  std::vector<std::string> changed = added;
  for (const auto& [path, text] : files) {
    if (path != "Makefile" && path != "pytest.ini" && path != "package.json")
      changed.push_back(path);
  }
  return check_files(changed, checks, base, links);
}

std::set<std::string> run_by_make(const std::string& recipe, const ScriptFiles& others) {
  ScriptFiles files = others;
  files["Makefile"] = "test:\n\t" + recipe + "\n";
  return scripts_of("make test", files);
}

}  // namespace

TEST_CASE("check_files: finds a script wherever a command may run it") {
  for (const char* recipe : {"./run.sh",
                             "timeout 60 ./run.sh",
                             "if ./run.sh; then :; else exit 1; fi",
                             "nice -n 10 ./run.sh",
                             "env A=b ./run.sh",
                             "env -u A ./run.sh",
                             "A=b ./run.sh",
                             "! ./run.sh",
                             "while ./run.sh; do :; done",
                             "echo run.sh | xargs -n1 sh",
                             "xargs ./run.sh < in.txt",
                             "sh -c './run.sh && true'",
                             "bash -c \"exec ./run.sh\"",
                             "(./run.sh)",
                             "@-./run.sh",
                             "true && sh run.sh",
                             "sh < run.sh",
                             "x=`./run.sh`",
                             "for s in run.sh; do sh $$s; done",
                             "flock lock ./run.sh",
                             "find . -exec ./run.sh {} +",
                             "stdbuf -oL ./run.sh",
                             "\"$$PWD/run.sh\"",
                             "\"$$PWD\"/run.sh",
                             "coverage run ./run.sh",
                             "$(RUN)\nRUN = ./run.sh",
                             "$(RUN)\nRUN=./run.sh",
                             "${RUN}\nA := run\nRUN := ./$(A).sh"}) {
    CAPTURE(recipe);
    CHECK(run_by_make(recipe, {{"run.sh", "true"}}) == std::set<std::string>{"run.sh"});
  }
}

TEST_CASE("check_files: sources that a check only reads, lints or starts are no scripts") {
  for (const char* recipe :
       {"shellcheck run.sh", "for s in *.sh; do shellcheck $$s; done", "grep -q x run.sh",
        "find . -name '*.sh' | xargs shellcheck", "for s in *.sh; do bash -n $$s; done",
        "chmod +x run.sh", "install -m 755 run.sh bin", "xargs chmod +x run.sh",
        "python3 main.py Bob | grep Hello", "node main.js", "cd src && python3 main.py",
        "timeout 5 python3 main.py", "cc -o app main.c", "X = run.sh", "test -f main.c"}) {
    CAPTURE(recipe);
    CHECK(run_by_make(recipe, {{"run.sh", "true"},
                               {"main.py", "x"},
                               {"main.js", "x"},
                               {"main.c", "x"},
                               {"src/main.py", "x"}})
              .empty());
  }
}

TEST_CASE("check_files: a script that a test runs is the program, unless it compares something") {
  const ScriptFiles files = {{"tests/run.sh",
                              "[ \"$(sh greet.sh)\" = good ]; sh ../app.sh; . lib/same.sh; . "
                              "ci/x.sh; . env.sh; sh a.sh\n"},
                             {"greet.sh", "echo good"},
                             {"env.sh", "get() { grep -q x a.txt; }"},
                             {"a.sh", "grep -q good a.txt"},
                             {"app.sh", "echo good"},
                             {"lib/same.sh", "same() { diff a b || echo FAIL; }"},
                             {"ci/x.sh", "x=1"}};
  CHECK(scripts_of("sh tests/run.sh", files) ==
        std::set<std::string>{"a.sh", "ci/x.sh", "lib/same.sh", "tests/run.sh"});
  CHECK(scripts_of("sh tests/run.sh; sh greet.sh", files).contains("greet.sh"));
  const ScriptFiles sourced = {{"check.sh", ". ./lib.sh\n[ \"$(add 1 2)\" = 3 ] || exit 1\n"},
                               {"all.sh", ". ./lib.sh\nrun\n"},
                               {"lib.sh", "add() { echo $(($1 + $2)); }\n"}};
  CHECK(scripts_of("sh check.sh", sourced) == std::set<std::string>{"check.sh"});
  CHECK(scripts_of("sh all.sh", sourced).contains("lib.sh"));
}

TEST_CASE("check_files: a script whose output is compared is the program") {
  const auto is_found = [](const std::string& command, const char* text) {
    const TextOfBase base = [text](const std::string& path) -> std::string {
      return path == "prog.sh" ? text : "";
    };
    const std::vector<Check> checks = {{"test", command, "-test-cmd"}};
    return !check_files(std::vector<std::string>{"prog.sh"}, checks, base).empty();
  };
  for (const char* command :
       {"./prog.sh | diff - want.txt", "sh prog.sh < in.txt 2>&1 | sort | cmp - want.txt",
        "./prog.sh > got && diff got want.txt", "sh prog.sh >got; diff -u want.txt got",
        "diff <(./prog.sh) want.txt", "test \"$(./prog.sh)\" = good",
        "[ \"$(sh prog.sh a)\" = good ]", "./prog.sh | grep -q passed",
        "out=$(./prog.sh); [ \"$out\" = good ] || { echo \"got $out\"; exit 1; }",
        "case \"$(./prog.sh)\" in good) ;; *) exit 1 ;; esac"}) {
    CAPTURE(command);
    CHECK_FALSE(is_found(command, "tr a-z A-Z < input.txt\n"));
    CHECK(is_found(command, "./real < in | diff - want || echo FAIL\n"));
    CHECK(is_found(command, "python3 -m unittest && echo passed\n"));
  }
  for (const char* command :
       {"./prog.sh", "./prog.sh | tee log", "./prog.sh || diff a b", "./prog.sh; diff a b",
        "./prog.sh > log; cat log", "log=$(./prog.sh) && echo $log",
        "./prog.sh > got && diff got want.txt && ./prog.sh", "true | diff - a && ./prog.sh"}) {
    CAPTURE(command);
    CHECK(is_found(command, "tr a-z A-Z < input.txt\n"));
  }
}

TEST_CASE("check_files: folders that a command enters") {
  const ScriptFiles files = {{"sub/run.sh", "true"},
                             {"run.sh.txt", "x"},
                             {"sub/Makefile", "test:\n\tsh ./go.sh\n"},
                             {"sub/go.sh", "true"},
                             {"a/b/deep.sh", "true"}};
  using Set = std::set<std::string>;
  CHECK(run_by_make("cd sub && ./run.sh", files) == Set{"sub/Makefile", "sub/go.sh", "sub/run.sh"});
  CHECK(run_by_make("$(MAKE) -C sub test", files) == Set{"sub/Makefile", "sub/go.sh"});
  CHECK(run_by_make("make --directory=sub", files) == Set{"sub/Makefile", "sub/go.sh"});
  CHECK(run_by_make("(cd a/b; ./deep.sh)", files) == Set{"a/b/deep.sh", "sub/Makefile"});
  CHECK(run_by_make("./sub/../sub/go.sh", files) == Set{"sub/Makefile", "sub/go.sh"});
}

TEST_CASE("check_files: names with blanks, links and other Makefiles") {
  using Set = std::set<std::string>;
  const ScriptFiles blank = {{"run it.sh", "true"}};
  for (const char* recipe : {"sh 'run it.sh'", "sh \"run it.sh\"", "sh run\\ it.sh"}) {
    CAPTURE(recipe);
    CHECK(run_by_make(recipe, blank) == Set{"run it.sh"});
  }
  const ScriptFiles files = {{"tools/ci/go.sh", "true"}, {"src/go.sh", "true"}, {"src/a.c", "x"}};
  CHECK(scripts_of("sh ci/go.sh", files, {}, {{"ci", "tools/ci"}}) == Set{"tools/ci/go.sh"});
  CHECK(scripts_of("sh go", files, {}, {{"go", "src/go.sh"}}) == Set{"src/go.sh"});
  CHECK(scripts_of("true", files, {}, {{"tests/go.sh", "../src/go.sh"}}) == Set{"src/go.sh"});
  CHECK(scripts_of("true", files, {}, {{"tests/src", "../src"}}).empty());
  CHECK(scripts_of("make -f odd", {{"odd", "include more\ntest:\n\t./x.sh\n"}, {"x.sh", "x"}},
                   {"more", "other"}) == Set{"more", "odd", "x.sh"});
}

TEST_CASE("check_files: the check's own command") {
  using Set = std::set<std::string>;
  const ScriptFiles files = {{"ci.py", "x"},       {"suite.py", "x"},      {"main.py", "x"},
                             {"test_all.js", "x"}, {"pkg/checks.py", "x"}, {"verify.rb", "x"}};
  for (const auto& [command, script] :
       std::map<std::string, std::string>{{"/usr/bin/python3 ci.py", "ci.py"},
                                          {"python3 -m suite", "suite.py"},
                                          {"python3 -u -m pkg.checks", "pkg/checks.py"},
                                          {"ruby verify.rb", "verify.rb"},
                                          {"sh -c 'python3 ci.py'", "ci.py"}}) {
    CAPTURE(command);
    CHECK(scripts_of(command, files) == Set{script, "test_all.js"});
  }
  CHECK(scripts_of("python3 main.py", files) == Set{"test_all.js"});
}

TEST_CASE("check_files: above the limit, each script counts") {
  ScriptFiles files;
  std::string recipe;
  for (int i = 0; i < 300; ++i) {
    files["s/" + std::to_string(i) + ".sh"] = "true";
    recipe += "sh s/" + std::to_string(i) + ".sh; ";
  }
  files["other.sh"] = "true";
  files["main.c"] = "x";
  std::set<std::string> scripts;
  for (const auto& [path, text] : files) scripts.insert(path);
  scripts.erase("main.c");
  CHECK(run_by_make(recipe, files) == scripts);
}

TEST_CASE("check_files: files that a Makefile includes, new ones too") {
  struct Row {
    const char* line;
    const char* path;
  };
  for (const Row& row :
       {Row{"include config.make", "config.make"}, Row{"include vars.txt", "vars.txt"},
        Row{"-include config.local", "config.local"}, Row{"sinclude local", "local"},
        Row{"-include $(wildcard *.dep)", "x.dep"}, Row{"D = aux\ninclude $(D)/rules", "aux/rules"},
        Row{"-include $(OBJS:.o=.d)", "src/main.d"}, Row{"include a b \\\n c", "c"},
        Row{"-include $(patsubst %.c,%.d,$(S))", "main.d"}, Row{"include $(O)/rules", "x/rules"}}) {
    CAPTURE(row.line);
    const ScriptFiles files = {{"Makefile", std::string(row.line) + "\ntest:\n\ttrue\n"},
                               {"a.c", "x"}};
    CHECK(scripts_of("make test", files, {row.path, "b.c", "x.txt"}) ==
          std::set<std::string>{row.path});
  }
}

TEST_CASE("check_files: tests and plugins that settings and runners name") {
  struct Row {
    const char* command;
    ScriptFiles files;
    const char* path;
  };
  for (const Row& row : {
           Row{"pytest", {{"pytest.ini", "[pytest]\npython_files = check_*.py"}}, "a/check_a.py"},
           Row{"pytest",
               {{"pytest.ini", "[pytest]\npython_files =\n  test_*.py\n  *_case.py"}},
               "b_case.py"},
           Row{"pytest",
               {{"pytest.ini", "[pytest]\naddopts = -q -p plug"}, {"plug.py", "x"}},
               "plug.py"},
           Row{"pytest -p a.plug", {{"a/plug.py", "x"}}, "a/plug.py"},
           Row{"pytest",
               {{"pytest.ini", "[pytest]\ntestpaths = verification"}},
               "verification/a.py"},
           Row{"prove -r cases", {}, "cases/a.pl"},
           Row{"mocha 'verify/**/*.js'", {}, "verify/b/a.js"},
           Row{"python3 -m unittest discover -p 'case_*.py'", {}, "x/case_a.py"},
           Row{"node --test 'cases/*_case.js'", {}, "cases/a_case.js"},
           Row{"for t in cases/*.sh; do sh $t; done", {}, "cases/a.sh"},
       }) {
    CAPTURE(row.command);
    CAPTURE(row.path);
    CHECK(scripts_of(row.command, row.files, {row.path, "main.py", "src/main.js", "app/b.py"}) ==
          std::set<std::string>{row.path});
  }
}

TEST_CASE("check_files: sources that runners get or that are plugins stay sources") {
  const ScriptFiles package = {{"cart/__init__.py", "x"}, {"cart/a.py", "x"}};
  CHECK(scripts_of("pytest cart", package).empty());
  CHECK(scripts_of("pytest src . lib", {{"src/a.py", "x"}, {"lib/b.py", "x"}}).empty());
  CHECK(scripts_of("pytest -k cart", {{"cart/a.py", "x"}}).empty());
  CHECK(scripts_of("node --test server", {{"server/a.js", "x"}}).empty());
  const ScriptFiles plugin = {{"pytest.ini", "[pytest]\naddopts = -p plug"},
                              {"setup.cfg", "[options.entry_points]\npytest11 =\n  plug = plug"},
                              {"plug.py", "x"}};
  CHECK(scripts_of("pytest", plugin) == std::set<std::string>{"setup.cfg"});
}

TEST_CASE("check_files: new modules that come before those of Python's library") {
  const std::map<std::string, std::string> base = {
      {"pkg/__init__.py", "x = 1\n"}, {"heapq.py", "x = 1\n"}, {"src/a.py", "x = 1\n"}};
  const auto text_of = [&base](const std::string& path) {
    const auto found = base.find(path);
    return found == base.end() ? "" : found->second;
  };
  const auto counts = [&](const std::vector<std::string>& changed) {
    return check_files(changed, {}, text_of).contains(changed.front());
  };
  CHECK(counts({"operator.py"}));
  CHECK(counts({"difflib/__init__.py"}));
  CHECK(counts({"src/difflib.py"}));
  CHECK(counts({"src/difflib.py", "src/__init__.py"}));  // `src` may be on the path all the same
  CHECK_FALSE(counts({"pkg/types.py"}));
  CHECK_FALSE(counts({"made/types.py", "made/__init__.py"}));
  CHECK_FALSE(counts({"heapq.py"}));  // not new
  CHECK_FALSE(counts({"cart.py"}));
  CHECK_FALSE(counts({"app/queue.py"}));  // a package without __init__.py
  CHECK(counts({"bin/grep"}));
  const std::vector<Check> checks = {{"test", "cd app && python3 -m unittest", "-test-cmd"}};
  CHECK(check_files(std::vector<std::string>{"app/queue.py"}, checks, text_of).size() == 1);
}
