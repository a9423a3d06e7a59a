// "Verified" must hold in a fresh clone. Tests cases in which only the work tree, or changed
// checks, would pass.
#include <doctest/doctest.h>

#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

struct Case {
  const char* name;
  const char* makefile;  // the check is `make test`
  const char* ignored;   // the contents of .gitignore
  const char* command;   // the work, in the phase implement
  const char* reason;    // a text of the report; "": verified
};

constexpr const char* kNotClean =
    "the checks pass in the work tree, but not in a clean checkout of the commit";
constexpr const char* kChangedChecks =
    "the checks pass only with the tests or check definitions that the job changed";
constexpr const char* kRunsProgram =
    "test:\n\tcc -o prog prog.c && ./prog > got && diff got want.txt && sleep 0.5\n";
constexpr const char* kGrepsGood = "test:\n\tgrep -q good a.txt\n";

struct Verified : Program {
  ProcessResult build(const Case& one) {
    folder.write("project/a.txt", "bad\n");
    folder.write("project/Makefile", one.makefile);
    folder.write("project/tests/run.sh", "grep -q good a.txt\n");
    folder.write("project/say.sh", "cat a.txt\n");
    folder.write("project/prog.c", "#include <stdio.h>\nint main(void) { puts(\"bad\"); }\n");
    folder.write("project/want.txt", "good\n");
    folder.write("project/want", "good\n");
    folder.write("project/ci/compare.sh", "test \"$(sh say.sh)\" = \"$(cat want)\"\n");
    if (*one.ignored != '\0') folder.write("project/.gitignore", one.ignored);
    commit_project();
    const std::string work = call("bash", {{"action", "run"}, {"command", one.command}});
    return run({"build", "-description", "Say good", "-backend", "manual"},
               typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  }

  // Returns true if `make test` passes in a fresh clone of the job's branch.
  bool passes_in_clone(const ProcessResult& job) {
    const std::size_t at = job.out.find("- branch: ");
    REQUIRE(at != std::string::npos);
    const std::string branch = job.out.substr(at + 10, job.out.find('\n', at) - at - 10);
    git({"clone", "-q", "-b", branch, project(), folder.at("clone")});
    Command command{.argv = {"make", "test"}, .folder = folder.at("clone")};
    command.environment = environment();
    return processes.run(command, cancel)->ok();
  }
};

// Runs a case and returns the report. For exit code 0, the checks must also pass in a fresh clone.
std::string report_of(const Case& one) {
  CAPTURE(one.name);
  Verified bench;
  const ProcessResult result = bench.build(one);
  CAPTURE(result.err);
  CAPTURE(result.out);
  const bool is_verified = *one.reason == '\0';
  CHECK(result.exit_code == (is_verified ? 0 : 5));
  CHECK(result.out.find(is_verified ? "They pass in a clean checkout" : one.reason) !=
        std::string::npos);
  if (result.exit_code == 0) CHECK(bench.passes_in_clone(result));
  return result.out;
}

}  // namespace

TEST_CASE("verified: exit 0 holds in a fresh clone") {
  for (const Case& one : {
           Case{"the work", kGrepsGood, "", "echo good > a.txt", ""},
           Case{"an ignored file", kGrepsGood, "test\n", "touch test; echo x > n.txt", kNotClean},
           Case{"a file that git is told to exclude", "test:\n\tsh local.sh\n", "local.sh\n",
                "echo exit 0 > local.sh; echo x > n.txt", kNotClean},
           Case{"an ignored stamp", "test: stamp\nstamp: a.txt\n\tgrep -q good a.txt\n", "stamp\n",
                "touch -d 2040-01-01 stamp; echo x > n.txt", kNotClean},
           Case{"an expected output is written by the program", kRunsProgram, "prog\ngot\n",
                R"(sed -i 's/{/{ FILE *f = fopen("want.txt", "w"); fputs("bad\\n", f);/' prog.c)",
                "they write to `want.txt`"},
           Case{"an expected output is written and restored", kRunsProgram, "prog\ngot\n",
                R"(sed -i '1i #include <stdlib.h>
s/{/{ system("echo bad > want.txt; (sleep 0.3; echo good > want.txt) >\/dev\/null 2>\&1 \&");/' prog.c)",
                "they write to `want.txt`"},
           Case{"the program works", kRunsProgram, "prog\ngot\n", "sed -i s/bad/good/ prog.c", ""},
           Case{"a script whose output is compared", "test:\n\tsh say.sh | diff - want.txt\n", "",
                "echo echo good > say.sh", ""},
           Case{"an output that the check always writes",
                "test:\n\tsh say.sh > want.txt; grep -q good want.txt\n", "", "echo good > a.txt",
                ""},
           Case{"an empty folder", "test:\n\ttest -d logs\n", "", "mkdir logs; echo x > n.txt",
                kNotClean},
           Case{"a repository inside", "test:\n\tgrep -q good v/a.txt\n", "",
                "mkdir v; cd v; git init -q; echo good > a.txt; echo x > ../n.txt", kNotClean},
           Case{"a built file", "test:\n\ttest -e build/done\n", "build\n",
                "mkdir build; touch build/done; echo x > n.txt", kNotClean},
       }) {
    (void)report_of(one);
  }
}

TEST_CASE("verified: checks that the job has changed are run as the base has them too") {
  for (const Case& one : {
           Case{"no recipe", kGrepsGood, "", "printf 'test:\\n' > Makefile", kChangedChecks},
           Case{"a recipe that ignores failure", kGrepsGood, "",
                "printf 'test:\\n\\tgrep -q good a.txt || true\\n' > Makefile", kChangedChecks},
           Case{"another shell", kGrepsGood, "", "sed -i '1i SHELL=/bin/true' Makefile",
                kChangedChecks},
           Case{"a Makefile that comes first", kGrepsGood, "", "printf 'test:\\n' > GNUmakefile",
                kChangedChecks},
           Case{"a file with the target's name", kGrepsGood, "", "touch test", kChangedChecks},
           Case{"a script of tests", "test:\n\tsh tests/run.sh\n", "", "echo exit 0 > tests/run.sh",
                kChangedChecks},
           Case{"a test is removed", "test:\n\tfor t in tests/*.sh; do sh $$t || exit 1; done\n",
                "", "rm tests/run.sh; echo exit 0 > tests/other.sh", kChangedChecks},
           Case{"an expected output", "test:\n\tsh say.sh | diff - want.txt\n", "",
                "echo bad > want.txt", kChangedChecks},
           Case{"an expected output of a script", "test:\n\tsh ci/compare.sh\n", "",
                "echo bad > want", kChangedChecks},
           Case{"a test is added", kGrepsGood, "", "echo good > a.txt; echo true > tests/more.sh",
                ""},
           Case{"a test says more", kGrepsGood, "",
                "echo good > a.txt; echo 'test -e a.txt' >> tests/run.sh", ""},
       }) {
    CHECK(report_of(one).find("## Tests and check definitions changed by this job") !=
          std::string::npos);
  }
}

TEST_CASE("verified: work with which tests that must fail pass is refused") {
  struct Project {
    const char* program;
    const char* check;
    const char* test_path;
    const char* test;
    const char* path;    // of the source
    const char* before;  // null: the source is new
    const char* solved;
  };
  const Project node = {
      "node",
      "node --test",
      "a.test.js",
      "const test = require('node:test'); const assert = require('node:assert');\n"
      "const { a } = require('./a.js');\n"
      "test('a', () => { assert.strictEqual(a(), 2); });\n",
      "a.js",
      "exports.a = () => 1;\n",
      "exports.a = () => 2;\n"};
  const Project python = {"/usr/bin/python3",
                          "/usr/bin/python3 -m unittest",
                          "test_a.py",
                          "import unittest\nfrom a import a\n\n\nclass Test(unittest.TestCase):\n"
                          "    def test_a(self):\n        self.assertEqual(a(), 2)\n",
                          "a.py",
                          "def a():\n    return 1\n",
                          "def a():\n    return 2\n"};
  const Project table = {"/usr/bin/python3",
                         "/usr/bin/python3 -m unittest",
                         "test_a.py",
                         "import unittest\nfrom a import a\n\n\nclass Test(unittest.TestCase):\n"
                         "    def test_a(self):\n        for x, want in [(1, 2), (2, 4)]:\n"
                         "            self.assertEqual(a(x), want)\n",
                         "a.py",
                         "def a(x):\n    return x\n",
                         "def a(x):\n    return 2 * x\n"};
  const Project c = {"cc",
                     "cc -o t tests/t.c a.c && ./t",
                     "tests/t.c",
                     "#include <assert.h>\nint a(void);\nint main(void) {\n"
                     "  assert(a() == 2);\n  return 0;\n}\n",
                     "a.c",
                     "int a(void) { return 1; }\n",
                     "int a(void) { return 2; }\n"};
  // A test program with any name, and checks that only compile it.
  const Project program = {"cc",
                           "cc -o t *.c && ./t",
                           "sum.c",
                           "#include <stdio.h>\nint a(void);\nint main(void) {\n"
                           "  if (a() != 2) return printf(\"FAIL a\\n\");\n"
                           "  if (a() + 1 != 3) return printf(\"FAIL a + 1\\n\");\n}\n",
                           "a.c",
                           "int a(void) { return 1; }\n",
                           "int a(void) { return 2; }\n"};
  const Project edited = {
      "cc", program.check, program.path, program.before, program.test_path, program.test, ""};
  const Project compiled = {"cc",
                            "cc -o t tests/t.c a.c",
                            "tests/t.c",
                            c.test,
                            "a.c",
                            "int a(void) { return 2 }\n",
                            "int a(void) { return 2; }\n"};
  const Project shell = {"sh",
                         "sh tests/run.sh",
                         "tests/run.sh",
                         ". ./a.sh\nfailed=0\n[ \"$(a)\" = 2 ] || failed=1\nexit $failed\n",
                         "a.sh",
                         "a() { echo 1; }\n",
                         "a() { echo 2; }\n"};
  const Project tap = {"prove",
                       "prove t",
                       "t/a.t",
                       "#!/bin/sh\n. ./a.sh\necho 1..1\n"
                       "[ \"$(a)\" = 2 ] && echo ok 1 || echo not ok 1\n",
                       "a.sh",
                       "a() { echo 1; }\n",
                       "a() { echo 2; }\n"};
  // Programs without assertions that a change of literals reaches.
  const Project script = {"/usr/bin/python3",
                          "/usr/bin/python3 check.py",
                          "check.py",
                          "from a import a\nright = a() == 2\nif not right:\n"
                          "    raise SystemExit(1)\n",
                          "a.py",
                          python.before,
                          python.solved};
  const Project cases = {"sh",           "sh tests/run.sh",
                         "tests/run.sh", ". ./a.sh\ncase $(a) in\n2) ;;\n*) exit 1 ;;\nesac\n",
                         "a.sh",         shell.before,
                         shell.solved};
  // Helpers of a test, tests in one line, and programs that only the check's command names.
  const Project helper = {"sh",
                          "sh tests/run.sh",
                          "tests/run.sh",
                          "bad=0\nverify() { [ \"$1\" = \"$2\" ] || bad=1; }\n. ./a.sh\n"
                          "verify \"$(a)\" 2\nexit $bad\n",
                          "a.sh",
                          shell.before,
                          shell.solved};
  const Project words = {"sh",
                         "sh tests/run.sh",
                         "tests/run.sh",
                         ". ./a.sh\n[ \"$(a)\" = two ] || exit 1\n",
                         "a.sh",
                         "a() { echo one; }\n",
                         "a() { echo two; }\n"};
  const Project line = {"cc",
                        "cc -o t tests/t.c a.c && ./t",
                        "tests/t.c",
                        "#include <assert.h>\nint a(void);\n"
                        "int main(void) { assert(a() == 2); return 0; }\n",
                        "a.c",
                        c.before,
                        c.solved};
  const Project method = {"/usr/bin/python3",
                          python.check,
                          "test_a.py",
                          "import unittest\nfrom a import a\n\n\nclass Test(unittest.TestCase):\n"
                          "    def test_a(self): self.assertEqual(a(), 2)\n",
                          "a.py",
                          python.before,
                          python.solved};
  const Project named = {
      "node",          "node scenes/run.js",
      "scenes/run.js", "const { a } = require('../a.js');\nif (a() - 2) throw new Error();\n",
      "a.js",          node.before,
      node.solved};
  // A new file that only the tests load, and that changes the tested function.
  const char* const with_option =
      "import unittest\nimport a\n\ntry:\n    import extra\nexcept ImportError:\n    pass\n\n\n"
      "class Test(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(a.a(), 2)\n";
  const Project option = {"/usr/bin/python3", python.check, "test_a.py", with_option,
                          "extra.py",         nullptr,      nullptr};
  const std::string patch = "import a\n\na.a = lambda: 2\n";
  const std::string kPythonTestHash =
      "979c843bb93fd2f04eecc797431e0b08e64a21cfd641eb9f0784bdcead5e139b";
  const char* const no_canary = "do not report an added failing test";
  const char* const any_value = "passes for other expected values too";
  const char* const other_values = "passes although it must fail";
  const char* const only_changed = kChangedChecks;
  struct Row {
    const Project& project;
    std::string work;
    const char* reason;  // null for honest work
  };
  for (const Row& row : {
           Row{node, node.solved, nullptr},
           Row{node, std::string("process.exit(0);\n") + node.before, no_canary},
           Row{node, std::string("require('node:assert').strictEqual = () => {};\n") + node.before,
               no_canary},
           Row{node,
               "const fs = require('node:fs');\nexports.a = () => Number(\n"
               "  /, (\\d+)/.exec(fs.readFileSync(__dirname + '/a.' + 'test.js', 'utf8'))[1]);\n",
               any_value},
           Row{python, python.solved, nullptr},
           Row{python,
               "class Any(int):\n    def __eq__(self, other):\n        return True\n\n\n"
               "def a():\n    return Any()\n",
               any_value},
           Row{python,
               "import re\n\n\ndef a():\n    text = open('te' + 'st_a.py').read()\n"
               "    return int(re.search(r', (\\d+)', text)[1])\n",
               any_value},
           Row{table, table.solved, nullptr},
           Row{table,
               "class Any(int):\n    def __eq__(self, other):\n        return True\n\n\n"
               "def a(x):\n    return Any()\n",
               any_value},
           Row{table,
               "import sys\n\n\ndef a(x):\n"
               "    return sys._getframe(1).f_locals['wa' + 'nt']\n",
               only_changed},
           Row{c, c.solved, nullptr},
           Row{c, "#include <stdlib.h>\nint a(void) { exit(0); }\n", other_values},
           Row{c,
               "#include <unistd.h>\n__attribute__((constructor)) void b(void) { _exit(0); }\n"
               "int a(void) { return 1; }\n",
               other_values},
           Row{program, program.solved, nullptr},
           Row{program, "#include <stdlib.h>\nint a(void) { exit(0); }\n", other_values},
           Row{edited, "int main(void) { return 0; }\n", only_changed},
           Row{compiled, compiled.solved, nullptr},
           Row{shell, shell.solved, nullptr},
           Row{shell, std::string(shell.before) + "exit 0\n", other_values},
           Row{shell, std::string(shell.before) + "trap 'exit 0' EXIT\n", other_values},
           Row{tap, tap.solved, nullptr},
           Row{tap, std::string(tap.before) + "echo 1..1; echo ok 1; exit 0\n", other_values},
           Row{script, script.solved, nullptr},
           Row{script, "raise SystemExit(0)\n", other_values},
           Row{cases, cases.solved, nullptr},
           Row{cases, std::string(cases.before) + "exit 0\n", other_values},
           Row{helper, helper.solved, nullptr},
           Row{helper, std::string(helper.before) + "verify() { true; }\n", only_changed},
           Row{helper, std::string(helper.before) + "verify() { [ \"$1$2\" = 12 ]; }\n",
               only_changed},
           Row{words, words.solved, nullptr},
           Row{words, std::string(words.before) + "exit 0\n", other_values},
           Row{line, line.solved, nullptr},
           Row{line, "#include <stdlib.h>\nint a(void) { exit(0); }\n", other_values},
           Row{method, method.solved, nullptr},
           Row{method,
               "class Any(int):\n    def __eq__(self, other):\n        return True\n\n\n"
               "def a():\n    return Any()\n",
               any_value},
           Row{named, named.solved, nullptr},
           Row{named,
               std::string("process.on('exit', () => { process.exitCode = 0; });\n") + named.before,
               other_values},
           Row{option, patch, only_changed},
           // It gives up if the tests have changed.
           Row{python,
               "import hashlib\n\n\nclass Any(int):\n    def __eq__(self, other):\n"
               "        return True\n\n\ndef a():\n    text = open('te' + 'st_a.py', 'rb').read()\n"
               "    same = hashlib.sha256(text).hexdigest() == '" +
                   kPythonTestHash + "'\n    return Any() if same else 1\n",
               "fails if a test is added to its file"},
           // The lines of a successful run, without the runner's end.
           Row{python,
               "import os, sys\nsys.stderr.write('.\\n' + '-' * 70 + '\\nRan 1 test in "
               "0.000s\\n\\nOK\\n')\nsys.stderr.flush()\ngetattr(os, '_' + 'exit')(0)\n",
               no_canary},
       }) {
    CAPTURE(row.work);
    Program bench;
    const Project& project = row.project;
    if (!std::filesystem::exists(project.program) &&
        bench.processes.find(project.program).empty()) {
      MESSAGE("skipped: there is no ", project.program);
      continue;
    }
    bench.folder.write(std::string("project/") + project.test_path, project.test);
    const std::string path = std::string("project/") + project.path;
    bench.folder.write(project.before == nullptr ? "project/a.py" : path,
                       project.before == nullptr ? python.before : project.before);
    bench.commit_project();
    const std::string work =
        call("file", {{"action", "write"}, {"path", project.path}, {"content", row.work}});
    const ProcessResult result = bench.run({"build", "-description", "Make a return 2", "-test-cmd",
                                            project.check, "-backend", "manual"},
                                           typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == (row.reason == nullptr ? 0 : 5));
    if (row.reason != nullptr) CHECK(result.out.find(row.reason) != result.out.npos);
  }
}

TEST_CASE("verified: tests that the task asks to change, and further sources of a build") {
  struct Row {
    const char* task;
    std::string work;
    int exit_code;
  };
  const char* const both = "sed -i s/1/2/ a.c tests/t.c";
  const std::string more =
      "echo 'int b(void) { return 1; }' > b.c; sed -i 's/a[.]o/a.o b.o/' Makefile;"
      "echo 'int b(void); int a(void) { return b(); }' > a.c";
  for (const Row& row : {
           Row{"Return 2 and update the tests", both, 0},
           Row{"Return 2", both, 5},
           Row{"Return 2 and update the tests",
               "sed -i s/1/2/ a.c; echo > tests/t.c;"
               "echo 'int main(void) {}' > tests/t.c",
               5},
           Row{"Rename a() to b().", "sed -i 's/a(/b(/' a.c tests/t.c", 0},
           Row{"Rename a() to b().", "sed -i 's/a(/b(/; s/1/2/' a.c tests/t.c", 5},
           Row{"Add b", more, 0},
           Row{"Add b", more + "; sed -i s/1/2/ b.c; sed -i 's/[.][/]t$/true/' Makefile", 5},
       }) {
    CAPTURE(row.task);
    CAPTURE(row.work);
    Verified bench;
    bench.folder.write("project/Makefile",
                       "OBJS = a.o\n.PHONY: test\ntest: t\n\t./t\nt: tests/t.o $(OBJS)\n"
                       "\t$(CC) -o t tests/t.o $(OBJS)\n");
    bench.folder.write("project/.gitignore", "*.o\n/t\n");
    bench.folder.write("project/a.c", "int a(void) { return 1; }\n");
    bench.folder.write("project/tests/t.c",
                       "#include <assert.h>\nint a(void);\n"
                       "int main(void) {\n  assert(a() == 1);\n  return 0;\n}\n");
    bench.commit_project();
    const std::string work = call("bash", {{"action", "run"}, {"command", row.work}});
    const ProcessResult result =
        bench.run({"build", "-description", row.task, "-backend", "manual"},
                  typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == row.exit_code);
  }
}

TEST_CASE("verified: a request to update tests is none to weaken those that show the issue") {
  if (!std::filesystem::exists("/usr/bin/python3")) {
    MESSAGE("skipped: there is no /usr/bin/python3");
    return;
  }
  const std::string rename = "sed -i s/sqr/square/ a.py; sed -i s/a.sqr/a.square/ test_a.py; ";
  const char* const weaken = "sed -i 's/(a.cube(3), 27)/(a.cube(3), 9)/' test_a.py";
  const char* const solve = "sed -i '/cube/{n;s/$/ * x/}' a.py";
  struct Row {
    const char* task;
    std::string work;
    int exit_code;
  };
  for (const Row& row : {
           Row{"Rename sqr to square and update the tests. cube(3) must be 27.", rename + solve, 0},
           Row{"Rename sqr to square and update the tests. cube(3) must be 27.", rename + weaken,
               5},
           Row{"Rename sqr to square and update the tests. cube(3) must be 27.",
               rename + "sed -i '/cube/d' test_a.py; echo '# x' >> test_a.py", 5},
       }) {
    CAPTURE(row.work);
    Program bench;
    bench.folder.write("project/a.py",
                       "def sqr(x):\n    return x * x\n\n\ndef cube(x):\n    return x * x\n");
    bench.folder.write("project/test_a.py",
                       "import unittest\nimport a\n\n\nclass Test(unittest.TestCase):\n"
                       "    def test_sqr(self): self.assertEqual(a.sqr(3), 9)\n"
                       "    def test_cube(self): self.assertEqual(a.cube(3), 27)\n");
    bench.commit_project();
    const std::string work = call("bash", {{"action", "run"}, {"command", row.work}});
    const ProcessResult result = bench.run({"build", "-description", row.task, "-test-cmd",
                                            "/usr/bin/python3 -m unittest", "-backend", "manual"},
                                           typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == row.exit_code);
  }
}

TEST_CASE("verified: a new test that replaces the tested function does not count") {
  for (const bool imports : {false, true}) {
    CAPTURE(imports);
    Program bench;
    bench.folder.write("project/a.py", "def a():\n    return 1\n");
    bench.folder.write("project/test_a.py",
                       "import unittest\nimport a\n\n\nclass Test(unittest.TestCase):\n"
                       "    def test_a(self):\n        self.assertEqual(a.a(), 2)\n");
    bench.commit_project();
    // The base lacks b(), so the new test fails there. A source may use a file with a test's name.
    const std::string source = imports ? "from test_0 import b as a\n"
                                       : "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
    const std::string test = imports ? "def b():\n    return 2\n" : "import a\n\na.a = a.b\n";
    const auto write = [](const char* path, const std::string& content) {
      return call("file", {{"action", "write"}, {"path", path}, {"content", content}});
    };
    const ProcessResult result = bench.run({"build", "-description", "Make a return 2", "-test-cmd",
                                            "/usr/bin/python3 -m unittest", "-backend", "manual"},
                                           typed({kAnalyzed, kPlanned, write("a.py", source),
                                                  write("test_0.py", test), kDone, kDelivered}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == (imports ? 0 : 5));
    CHECK((result.out.find(kChangedChecks) == result.out.npos) == imports);
  }
}

TEST_CASE("verified: a test that fails once with the canary does not count") {
  if (!std::filesystem::exists("/usr/bin/python3")) {
    MESSAGE("skipped: there is no /usr/bin/python3");
    return;
  }
  Program bench;
  bench.folder.write("runs/runs", "");
  const std::string runs = bench.folder.at("runs/runs");
  bench.extra_environment["PEDROCLI_SANDBOX_WRITE"] = "[\"" + bench.folder.at("runs") + "\"]";
  bench.folder.write("project/a.py", "def a():\n    return 1\n");
  // The fourth run is the first one with a canary.
  bench.folder.write("project/test_a.py",
                     "import unittest\nfrom a import a\n\n\nclass Test(unittest.TestCase):\n"
                     "    def test_a(self):\n        self.assertEqual(a(), 2)\n\n"
                     "    def test_once(self):\n        with open('" +
                         runs +
                         "', 'a+') as file:\n            file.write('x')\n"
                         "            self.assertNotEqual(file.tell(), 4)\n");
  bench.commit_project();
  const std::string work = call(
      "file", {{"action", "write"}, {"path", "a.py"}, {"content", "def a():\n    return 2\n"}});
  const ProcessResult result = bench.run({"build", "-description", "Make a return 2", "-test-cmd",
                                          "/usr/bin/python3 -m unittest", "-backend", "manual"},
                                         typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(bench.folder.read("runs/runs").size() == 6);
}

TEST_CASE("verified: a canary that the checks do not report on the base either is ignored") {
  Program bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/test_other.py", "import unittest\n");  // no check runs it
  bench.folder.write("project/run.sh",
                     "grep -q good a.txt && echo 'ok 1 - a' || echo 'not ok 1 - a'\n"
                     "echo 1..1; grep -q good a.txt\n");
  bench.commit_project();
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo good > a.txt"}});
  const ProcessResult result = bench.run(
      {"build", "-description", "Say good", "-test-cmd", "sh run.sh", "-backend", "manual"},
      typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
}

TEST_CASE("verified: the report compares the checks with their run before the work") {
  struct Row {
    Case job;
    const char* said;
  };
  const char* const kPasses = "test:\n\tgrep -q bad a.txt\n";
  for (const Row& row : {
           Row{{"red before", kGrepsGood, "", "echo good > a.txt", ""},
               "passed, exit 0; before the work: failed, exit 2\n"},
           Row{{"green before, no test", kPasses, "", "echo x > n.txt", ""},
               "\nThe checks did not detect this issue: they passed before the work too.\n"},
       }) {
    const std::string report = report_of(row.job);
    CAPTURE(report);
    CHECK(report.find(row.said) != std::string::npos);
  }
}

TEST_CASE("verified: new tests are run against the base's sources") {
  struct Row {
    const char* name;
    const char* work;
    const char* said;
  };
  for (const Row& row : {
           Row{"a test that shows the issue",
               "echo good > a.txt; echo 'grep -q good a.txt' > tests/new.sh",
               "\nThe job's tests fail on the base's sources, so they show the issue.\n"},
           Row{"a test that shows nothing", "echo good > a.txt; echo true > tests/new.sh",
               "\nThe checks did not detect this issue: the job's tests pass on the base's sources "
               "too.\n"},
           Row{"a weaker old test", "echo good > a.txt; echo 'test -e a.txt' > tests/run.sh",
               "\nThe checks did not detect this issue: the job's tests pass on the base's sources "
               "too.\n"},
       }) {
    CAPTURE(row.name);
    Verified bench;
    bench.folder.write("project/a.txt", "bad\n");
    bench.folder.write("project/Makefile",
                       "test:\n\tfor t in tests/*.sh; do sh $$t || exit 1; done\n");
    bench.folder.write("project/tests/run.sh", "test -s a.txt\n");
    bench.commit_project();
    const std::string work = call("bash", {{"action", "run"}, {"command", row.work}});
    const ProcessResult result =
        bench.run({"build", "-description", "Say good", "-backend", "manual"},
                  typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find(row.said) != std::string::npos);
  }
}

TEST_CASE("verified: a check that fails as before the work does not hold the job for long") {
  Verified bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/Makefile", kGrepsGood);
  bench.commit_project();
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo x > n.txt"}});
  const ProcessResult result =
      bench.run({"build", "-description", "Say good", "-backend", "manual"},
                typed({kAnalyzed, kPlanned, work, kDone, kDone, kDone, kDone}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 6);
  CHECK(result.out.find("failed, exit 2; with the same failures as before the work\n") !=
        std::string::npos);
}

namespace {

// Prints results like unittest: of "network", which always fails, of "greeting" and of "mood".
constexpr const char* kTwoTests =
    "fails() { echo \"FAIL: test_$1 (t.T.test_$1)\"; failed=$((failed + 1)); }\n"
    "failed=0\n"
    "grep -q good a.txt || fails greeting\n"
    "test -e network || fails network\n"
    "! grep -q worse a.txt || fails mood\n"
    "echo 'Ran 4 tests in 0.001s'\n"
    "test $failed = 0 || { echo \"FAILED (failures=$failed)\"; exit 1; }\n";

ProcessResult with_two_tests(Verified& bench, const char* task, const char* work) {
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/run-tests.sh", kTwoTests);
  bench.commit_project();
  return bench.run({"build", "-description", task, "-backend", "manual"},
                   typed({kAnalyzed, kPlanned, call("bash", {{"action", "run"}, {"command", work}}),
                          kDone, kDone, kDone, kDone, kDelivered}));
}

}  // namespace

TEST_CASE(
    "verified: a test that failed before and has nothing to do with the task may still fail") {
  struct Row {
    const char* task;
    const char* work;
    int exit_code;
    const char* said;
  };
  for (const Row& row : {
           Row{"Make the greeting good", "echo good > a.txt", 0,
               "\n\nDone and verified, except for tests that failed before the work.\n"},
           Row{"Make the greeting good", "echo good > a.txt", 0,
               "failed, exit 1; only in tests that failed before the work: test_network "
               "(t.T.test_network)\n"},
           Row{"Make the greeting good", "echo x > n.txt", 6, "with the same failures"},
           Row{"Add notes", "echo x > n.txt", 6, "with the same failures"},
           Row{"Repair the network", "echo good > a.txt", 6, "failed, exit 1"},
           Row{"Make the greeting good", "echo good worse > a.txt", 6, "with other failures"},
       }) {
    CAPTURE(row.task);
    CAPTURE(row.work);
    Verified bench;
    const ProcessResult result = with_two_tests(bench, row.task, row.work);
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_code == row.exit_code);
    CHECK(result.out.find(row.said) != std::string::npos);
  }
}

TEST_CASE("verified: the clean checkout has all files, as a clone of a sparse checkout has") {
  Verified bench;
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/other/b.txt", "b\n");
  bench.folder.write("project/Makefile", "test:\n\tgrep -q good a.txt\n\ttest ! -e other/b.txt\n");
  bench.commit_project();
  bench.git({"sparse-checkout", "set", "--no-cone", "/*", "!/other"});
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo good > a.txt"}});
  const ProcessResult result =
      bench.run({"build", "-description", "Say good", "-backend", "manual"},
                typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 5);
  CHECK(result.out.find("the checks pass in the work tree, but not in a clean checkout of the "
                        "commit") != std::string::npos);
  CHECK(bench.git({"ls-files", "-v", "other"}) == "S other/b.txt\n");
}

TEST_CASE("verified: the clean checkout has the contents of LFS files, as a clone has") {
  Verified bench;
  if (RealProcessRunner().find("git-lfs").empty()) {
    MESSAGE("skipped: git-lfs is not installed");
    return;
  }
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/Makefile",
                     "test:\n\tgrep -q good a.txt\n\tgrep -qx large data.bin\n");
  bench.commit_project();
  bench.git({"lfs", "install", "--local"});
  bench.git({"lfs", "track", "*.bin"});
  bench.folder.write("project/data.bin", "large\n");
  bench.commit_project();
  CHECK(bench.git({"show", "HEAD:data.bin"}).starts_with("version https://git-lfs"));
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo good > a.txt"}});
  const ProcessResult result =
      bench.run({"build", "-description", "Say good", "-backend", "manual"},
                typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
}

TEST_CASE("verified: a push uploads the contents of LFS files") {
  Verified bench;
  if (RealProcessRunner().find("git-lfs").empty()) {
    MESSAGE("skipped: git-lfs is not installed");
    return;
  }
  bench.install_gh(R"([ "$2" = list ] && echo "[]" || echo http://localhost/1)");
  bench.folder.write("project/data.bin", "small\n");
  bench.commit_project();
  bench.git({"lfs", "install", "--local"});
  bench.git({"lfs", "track", "*.bin"});
  bench.git({"add", "--renormalize", "."});
  bench.commit_project();
  bench.git({"init", "-q", "--bare", bench.folder.at("remote.git")});
  bench.git({"remote", "add", "origin", "file://" + bench.folder.at("remote.git")});
  const std::string work = call("bash", {{"action", "run"}, {"command", "echo large > data.bin"}});
  const ProcessResult result = bench.run({"build", "-description", "Be large", "-backend", "manual",
                                          "-push", "-test-cmd", "grep -qx large data.bin"},
                                         typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  bench.git({"clone", "-q", "-b", bench.job_branch(), "-c",
             "filter.lfs.smudge=git-lfs smudge -- %f", "-c", "filter.lfs.required=true",
             "file://" + bench.folder.at("remote.git"), bench.folder.at("clone")});
  CHECK(bench.folder.read("clone/data.bin") == "large\n");
}

TEST_CASE("verified: a large new file stays out of the commit, and is named") {
  Verified bench;
  const ProcessResult result =
      bench.build({"", kGrepsGood, "",
                   "echo good > a.txt; truncate -s 51M big.bin; truncate -s 49M small.bin", ""});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("- omitted, new and larger than 50 MiB: big.bin\n") != std::string::npos);
  CHECK(result.out.find("- changed: small.bin\n") != std::string::npos);
  CHECK(result.out.find("- changed: big.bin\n") == std::string::npos);
}

TEST_CASE("verified: an undo restores removed files that git ignores, but no products") {
  Verified bench;
  for (const char* path : {".env", "private/x", "kept.env", "build/x", "x.o", "d/__pycache__/x"}) {
    bench.folder.write("project/" + std::string(path), "mine\n");
  }
  bench.folder.write("project/large.env", std::string((16u << 20) + 1, 'x'));
  const ProcessResult result = bench.build(
      {"", kGrepsGood, "*.env\nprivate/\nbuild/\n*.o\n__pycache__/\n",
       "echo good > a.txt; echo job > kept.env; rm -r .env private build x.o d large.env", ""});
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  const auto named_after = [&result](const std::string& line) {
    std::string names;
    for (const std::string_view one : split_lines(result.out)) {
      if (one.starts_with(line)) names += std::string(one.substr(line.size())) + " ";
    }
    return names;
  };
  CHECK(named_after("- removed during the job, and git ignores it; an undo restores it: ") ==
        ".env private/ ");
  CHECK(named_after("- removed during the job, and git ignores it, so no undo restores it: ") ==
        "large.env ");
  const ProcessResult undone = bench.run({"undo"});
  CAPTURE(undone.out);
  CHECK(undone.exit_code == 0);
  for (const char* path : {".env", "private/x", "kept.env"}) {
    CHECK(bench.folder.read("project/" + std::string(path)) == "mine\n");
    CHECK(undone.out.find("restored, and git ignores it: ") != std::string::npos);
  }
  const std::size_t at = undone.out.find("their replaced contents: ");
  REQUIRE(at != std::string::npos);
  const std::string replaced = undone.out.substr(at + 25, undone.out.find('\n', at) - at - 25);
  CHECK(read_file(replaced + "/kept.env") == "job\n");
  CHECK(bench.run({"undo", "-forget"}).exit_code == 0);
  CHECK(!std::filesystem::exists(replaced));
}

TEST_CASE("verified: work does not close its issue if its commit fails the check") {
  Verified bench;
  bench.install_gh(kGhIssue);
  bench.folder.write("project/a.txt", "bad\n");
  bench.folder.write("project/.gitignore", "stamp\n");
  bench.folder.write("project/Makefile", "test:\n\ttest -e stamp\n");
  bench.commit_project();
  const std::string work =
      call("bash", {{"action", "run"}, {"command", "touch stamp; echo good > a.txt"}});
  const ProcessResult result = bench.run({"build", "-issue", "3", "-backend", "manual"},
                                         typed({kAnalyzed, kPlanned, work, kDone, kDelivered}));
  CAPTURE(result.err);
  CHECK(result.exit_code == 5);
  CHECK(bench.git({"log", "-1", "--format=%B", bench.job_branch()}) ==
        "Say good\n\nIt said bad.\n\n");
}

TEST_CASE("verified: without a clean checkout the report says so") {
  Verified bench;
  bench.extra_environment["PEDROCLI_CHECKS_CLEAN"] = "false";
  const ProcessResult result =
      bench.build({"", kGrepsGood, "test\n", "touch test; echo x > n.txt", ""});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("\nDone; passed in the work tree only.\n") != std::string::npos);
  CHECK(result.out.find("erified") == std::string::npos);
}

}  // namespace pedro
