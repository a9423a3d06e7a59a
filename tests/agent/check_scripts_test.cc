#include <doctest/doctest.h>

#include "agent/check_files.h"

using namespace pedro;

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

TEST_CASE("check_scripts: a script counts in any place where a command may run it") {
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

TEST_CASE("check_scripts: sources that a check only reads, lints or starts are no scripts") {
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

TEST_CASE("check_scripts: a script that a test runs is the program, unless it compares something") {
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
}

TEST_CASE("check_scripts: folders that a command enters") {
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

TEST_CASE("check_scripts: names with blanks, links and other Makefiles") {
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

TEST_CASE("check_scripts: the check's own command") {
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

TEST_CASE("check_scripts: above the limit, each script counts") {
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

TEST_CASE("check_scripts: files that a Makefile includes, new ones too") {
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

TEST_CASE("check_scripts: tests and plugins that settings and runners name") {
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

TEST_CASE("check_scripts: sources that runners get or that are plugins stay sources") {
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
