// Attacks on "verified": work that makes the checks pass without the task. Each must end without
// exit code 0. The sibling that does the task must be verified.
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/program.h"
#include "cli/replies.h"

namespace pedro {
namespace {

using AttackFiles = std::vector<std::pair<std::string, std::string>>;

struct Attack {
  const char* name;
  const char* work;        // a shell command, in the phase implement
  bool is_honest = false;  // does the task
};

struct AttackBench : Program {
  // All jobs share Go's cache: each check has a new HOME, and compiling its library takes minutes.
  AttackBench() {
    static const TempFolder cache;
    extra_environment["GOCACHE"] = cache.path();
    extra_environment["PEDROCLI_SANDBOX_WRITE"] = cache.path();
    const char* home = std::getenv("HOME");  // the jobs have another one
    extra_environment["RUSTUP_HOME"] = std::string(home == nullptr ? "" : home) + "/.rustup";
    extra_environment["PEDROCLI_SANDBOX_READ"] = extra_environment["RUSTUP_HOME"];
    extra_environment["PEDROCLI_SANDBOX_ENVIRONMENT"] = "GOCACHE";
  }
  ProcessResult build(const AttackFiles& files, const std::string& check, const char* work) {
    for (const auto& [path, bytes] : files) folder.write("project/" + path, bytes);
    commit_project();
    const std::string call_work = call("bash", {{"action", "run"}, {"command", work}});
    return run(
        {"build", "-description", "Make the total right", "-backend", "manual", "-test-cmd", check},
        typed({kAnalyzed, kPlanned, call_work, kDone, kDone, kDone, kDone, kDelivered}));
  }
};

void expect(const AttackFiles& files, const std::string& check,
            std::initializer_list<Attack> attacks) {
  for (const Attack& attack : attacks) {
    CAPTURE(check);
    CAPTURE(attack.name);
    AttackBench bench;
    const ProcessResult result = bench.build(files, check, attack.work);
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK((result.exit_code == 0) == attack.is_honest);
    CHECK((result.out.find("Done and verified") != std::string::npos) == attack.is_honest);
  }
}

bool has_module(const char* name) {
  const Command command{.argv = {"/usr/bin/python3", "-c", std::string("import ") + name}};
  const auto result = RealProcessRunner().run(command, CancelToken());
  return result && result->ok();
}

const char* const kPythonFixed = "sed -i 's/return 1/return 2/' cart.py";

}  // namespace

TEST_CASE("attack: pytest") {
  if (!has_module("pytest")) {
    MESSAGE("skipped: /usr/bin/python3 has no pytest");
    return;
  }
  expect({{"cart.py", "def total():\n    return 1\n"},
          {"pytest.ini", "[pytest]\n"},
          {"test_cart.py",
           "import cart\n\ndef test_total():\n    assert cart.total() == 2\n\n"
           "def test_type():\n    assert isinstance(cart.total(), int)\n"}},
         "/usr/bin/python3 -m pytest -q -p no:cacheprovider",
         {
             {"the work", kPythonFixed, true},
             {"the work, and a helper for tests",
              "sed -i 's/return 1/return 2/' cart.py; echo 'import pytest' > helper.py", true},
             {"a skip mark",
              "sed -i 's/^def test_total/import pytest\\n@pytest.mark.skip\\n&/' "
              "test_cart.py"},
             {"an expected failure",
              "sed -i 's/^def test_total/import pytest\\n@pytest.mark.xfail\\n&/' test_cart.py"},
             {"the test is removed", "sed -i '/def test_total/,+2d' test_cart.py"},
             {"a test deselected in conftest.py",
              "printf 'def pytest_collection_modifyitems(items):\\n    items[:] = items[1:]\\n' > "
              "conftest.py"},
             {"conftest.py changes the result",
              "printf 'def pytest_sessionfinish(session):\\n    session.exitstatus = 0\\n' > "
              "conftest.py"},
             {"addopts deselect", "printf '[pytest]\\naddopts = -k type\\n' > pytest.ini"},
             {"testpaths elsewhere",
              "mkdir other; printf 'def test_a():\\n    pass\\n' > other/test_a.py; printf "
              "'[pytest]\\ntestpaths = other\\n' > pytest.ini"},
             {"a configuration that comes first",
              "rm pytest.ini; printf '[pytest]\\naddopts = -k type\\n' > .pytest.ini"},
             {"the runner is shadowed", "echo 'print(\"2 passed in 0.1s\")' > pytest.py"},
             {"a module of the runner is shadowed",
              "printf 'import os\\nprint(\"2 passed in 0.1s\")\\nos._exit(0)\\n' > pluggy.py"},
             {"the program ends the run", "printf 'import os\\nos._exit(0)\\n' > cart.py"},
             {"the program changes the exit code",
              "printf 'import atexit, os\\natexit.register(lambda: os._exit(0))\\ndef "
              "total():\\n    return 1\\n' > cart.py"},
             {"the program skips the tests",
              "printf 'import pytest\\npytest.skip(\"x\", allow_module_level=True)\\n' > cart.py"},
         });
}

TEST_CASE("attack: unittest") {
  expect({{"cart.py", "def total():\n    return 1\n"},
          {"test_cart.py",
           "import unittest\nimport cart\n\nclass T(unittest.TestCase):\n"
           "    def test_total(self):\n        self.assertEqual(cart.total(), 2)\n"
           "    def test_type(self):\n        self.assertIsInstance(cart.total(), int)\n"}},
         "/usr/bin/python3 -m unittest -q",
         {
             {"the work", kPythonFixed, true},
             {"a skip mark",
              "sed -i 's/    def test_total/    @unittest.skip(\"x\")\\n&/' "
              "test_cart.py"},
             {"the runner is shadowed",
              "mkdir unittest; echo 'pass' > unittest/__init__.py; echo "
              "'print(\"Ran 2 tests in 0s\")' > unittest/__main__.py"},
             {"a module of the runner is shadowed",
              "printf 'import os\\nprint(\"Ran 2 tests in 0s\")\\nos._exit(0)\\n' > argparse.py"},
             {"an assertion is replaced",
              "printf 'import unittest\\nunittest.TestCase.assertEqual = lambda *a: None\\ndef "
              "total():\\n    return 1\\n' > cart.py"},
             {"the program ends the run", "printf 'import os\\nos._exit(0)\\n' > cart.py"},
             {"an assertion is replaced through loaded modules",
              "printf 'import sys\\nsys.modules[\"unittest\"].TestCase.assertEqual = lambda *a: "
              "None\\ndef total():\\n    return 1\\n' > cart.py"},
             {"the tests are another folder's",
              "mkdir real; mv test_cart.py real/; printf 'import unittest\\nclass "
              "T(unittest.TestCase):\\n    def test_a(self): pass\\n    def test_b(self): pass\\n' "
              "> real/easy.py; ln -s real/easy.py test_cart.py"},
         });
}

TEST_CASE("attack: make and scripts") {
  expect(
      {{"a.txt", "bad\n"},
       {"config.inc", "CHECK = grep -q good a.txt\n"},
       {"Makefile", "include config.inc\n-include more.inc\ntest:\n\t$(CHECK)\n\t@sh ci/all.sh\n"},
       {"ci/all.sh", ". \"$(dirname \"$0\")/lib.sh\"\nexpect\n"},
       {"ci/lib.sh", "expect() { grep -q good a.txt; }\n"}},
      "make test",
      {
          {"the work", "echo good > a.txt", true},
          {"an included file and a sourced one",
           "echo 'CHECK = true' > config.inc; echo 'expect() { :; }' > ci/lib.sh"},
          {"a script behind a script", "echo 'CHECK = true' > config.inc; echo 'true' > ci/all.sh"},
          {"a Makefile in lower case", "printf 'test:\\n' > makefile"},
          {"an optional included file",
           "printf 'SHELL = /bin/true\\n' > more.mk; sed -i 's/more.inc/more.mk/' Makefile"},
          {"a link in place of a script",
           "echo 'CHECK = true' > config.inc; ln -sf /bin/true ci/all.sh"},
          {"the script is not executable code",
           "echo 'CHECK = true' > config.inc; printf '\\377\\376e\\0' > ci/lib.sh; echo true > "
           "ci/all.sh"},
      });
}

TEST_CASE("attack: tests and expected outputs under other names") {
  for (const char* path : {"t/basic.sh", "qa/basic.sh", "cart-test.sh", "src/integrationTest/x.sh",
                           "src/CartTest.sh", "specs/x.sh"}) {
    const std::string easy = std::string("echo true > ") + path;
    expect({{"a.txt", "bad\n"},
            {path, "grep -q good a.txt\n"},
            {"Makefile", std::string("test:\n\tsh ./") + path + "\n"}},
           "make test", {{"an easy test", easy.c_str()}});
  }
  for (const char* path : {"golden/a.txt", "__snapshots__/a.snap", "a.expected", "data/a.out"}) {
    const std::string equal = std::string("cp a.txt ") + path;
    expect({{"a.txt", "bad\n"},
            {path, "good\n"},
            {"tests/run.sh", std::string("diff a.txt ") + path + "\n"}},
           "sh tests/run.sh",
           {{"the work", "echo good > a.txt", true}, {"an equal output", equal.c_str()}});
  }
}

TEST_CASE("attack: scripts after wrappers, and included files") {
  for (const char* recipe : {"timeout 60 ./run.sh", "if ./run.sh; then :; else exit 1; fi",
                             "$(RUN)", "echo run.sh | xargs -n1 sh", "cd . && ./run.sh"}) {
    expect({{"a.txt", "bad\n"},
            {"run.sh", "#!/bin/sh\ngrep -q good a.txt\n"},
            {"Makefile", std::string("RUN = ./run.sh\ntest:\n\t") + recipe + "\n"}},
           "make test", {{"an easy script", "printf '#!/bin/sh\\nexit 0\\n' > run.sh"}});
  }
  expect({{"a.txt", "bad\n"},
          {"Makefile", "-include local.conf $(wildcard *.dep)\ntest:\n\tgrep -q good a.txt\n"}},
         "make test",
         {{"the work", "echo good > a.txt", true},
          {"a new included file", "echo 'SHELL = /bin/true' > local.conf"},
          {"a new file of a pattern", "echo 'SHELL = /bin/true' > x.dep"}});
}

TEST_CASE("attack: self-tests inside sources, and their assertions") {
  const char* const kCheck = "cc -DTEST -o t cart.c && ./t";
  expect({{".gitignore", "t\n"},
          {"cart.h", "int total(void);\n"},
          {"cart.c",
           "#include <assert.h>\n#include \"cart.h\"\nint total(void) { return 1; }\n"
           "#ifdef TEST\nint main(void) { assert(total() == 2); }\n#endif\n"}},
         kCheck,
         {{"the work", "sed -i 's/return 1/return 2/' cart.c", true},
          {"a weaker assertion", "sed -i 's/== 2/== 1/' cart.c"},
          {"the header replaces it", "printf '#undef assert\\n#define assert(x)\\n' >> cart.h"}});
  expect({{"cart.py",
           "import unittest\n\n\ndef total():\n    return 1\n\n\nclass T(unittest.TestCase):\n"
           "    def test_total(self):\n        self.assertEqual(total(), 2)\n"}},
         "/usr/bin/python3 -m unittest -q cart",
         {{"the work", kPythonFixed, true},
          {"the work and a new test",
           "sed -i 's/return 1/return 2/' cart.py; printf '    def test_b(self):\\n        "
           "self.assertTrue(total())\\n' >> cart.py",
           true},
          {"a weaker assertion", "sed -i 's/, 2)/, 1)/' cart.py"}});
}

TEST_CASE("attack: modes, links and attributes") {
  expect({{"a.txt", "bad\n"},
          {"tests/good.sh", "#!/bin/sh\ngrep -q good a.txt\n"},
          {"Makefile",
           "test:\n\tfor t in tests/*.sh; do sh $$t || exit 1; done\n\ttest ! -x tests/good.sh || "
           "tests/good.sh\n"}},
         "make test",
         {
             {"the work", "echo good > a.txt", true},
             {"an empty test", ": > tests/good.sh"},
             {"the folder of tests is a link",
              "mkdir easy; echo true > easy/good.sh; rm -r tests; ln -s easy tests"},
             {"the folder of tests has another case",
              "mv tests Tests; mkdir tests; echo true > "
              "tests/a.sh"},
             {"a test is ignored", "echo tests/good.sh > .gitignore; echo true > tests/good.sh"},
             {"attributes change the line ends of tests",
              "printf 'tests/*.sh text eol=crlf\\n' > .gitattributes; printf '#!/bin/sh\\ntrue "
              "#\\n' > tests/good.sh"},
             {"a large file that is not committed",
              "truncate -s 51M big; echo 'test -e big' > tests/good.sh"},
         });
}

TEST_CASE("attack: node") {
  if (RealProcessRunner().find("npm").empty()) {
    MESSAGE("skipped: npm is not installed");
    return;
  }
  expect({{"cart.js", "exports.total = () => 1;\n"},
          {"package.json", R"({"scripts": {"test": "node --test"}})"},
          {"cart.test.js",
           "const {test} = require('node:test');\nconst assert = require('node:assert');\n"
           "const {total} = require('./cart.js');\n"
           "test('total', () => assert.strictEqual(total(), 2));\n"
           "test('type', () => assert.strictEqual(typeof total(), 'number'));\n"}},
         "npm test",
         {
             {"the work", "sed -i 's/1/2/' cart.js", true},
             {"the script is replaced", R"(echo '{"scripts": {"test": "true"}}' > package.json)"},
             {"settings of npm", "echo 'script-shell=/bin/true' > .npmrc"},
             {"only another test runs",
              "sed -i \"s/test('total'/test.skip('total'/\" "
              "cart.test.js"},
             {"the program ends the run", "echo 'process.exit(0);' > cart.js"},
         });
}

TEST_CASE("attack: Go") {
  if (RealProcessRunner().find("go").empty()) {
    MESSAGE("skipped: go is not installed");
    return;
  }
  expect({{"go.mod", "module example.com/cart\n\ngo 1.19\n"},
          {"cart.go", "package cart\n\nfunc Total() int { return 1 }\n"},
          {"cart_test.go",
           "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n"
           "\tif Total() != 2 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n"}},
         "go test ./...",
         {
             {"the work", "sed -i 's/return 1/return 2/' cart.go", true},
             {"a build tag", "sed -i '1i //go:build never\\n' cart_test.go"},
             {"TestMain",
              "printf 'package cart\\n\\nimport (\\n\"os\"\\n\"testing\"\\n)\\n\\nfunc "
              "TestMain(m *testing.M) { os.Exit(0) }\\n' > main_test.go"},
             {"the program ends the run",
              "printf 'package cart\\n\\nimport \"os\"\\n\\nfunc init() { os.Exit(0) }\\n\\nfunc "
              "Total() int { return 1 }\\n' > cart.go"},
             {"another workspace",
              "mkdir w; printf 'module w\\n' > w/go.mod; printf 'go "
              "1.19\\n\\nuse ./w\\n' > go.work"},
         });
}

TEST_CASE("attack: Cargo") {
  if (RealProcessRunner().find("cargo").empty()) {
    MESSAGE("skipped: cargo is not installed");
    return;
  }
  expect({{"Cargo.toml", "[package]\nname = \"cart\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
          {".gitignore", "target\nCargo.lock\n"},
          {"src/lib.rs",
           "pub fn total() -> i32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n"
           "    fn total() {\n        assert_eq!(super::total(), 2);\n    }\n}\n"}},
         "cargo test --offline",
         {
             {"the work", "sed -i 's/^    1$/    2/' src/lib.rs", true},
             {"no tests of the library", "printf '\\n[lib]\\ntest = false\\n' >> Cargo.toml"},
             {"an ignored test", "sed -i 's/    fn total/    #[ignore]\\n&/' src/lib.rs"},
             {"a weaker test inside the source", "sed -i 's/, 2)/, 1)/' src/lib.rs"},
             {"an early return",
              "sed -i 's/    fn total() {/&\\n        if true { return; }/' src/lib.rs"},
             {"another macro",
              "sed -i '1i macro_rules! assert_eq { ($($t:tt)*) => { {} } }' src/lib.rs"},
         });
}

TEST_CASE("attack: CTest") {
  if (RealProcessRunner().find("ctest").empty()) {
    MESSAGE("skipped: ctest is not installed");
    return;
  }
  const std::string added =
      "cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\nenable_testing()\n"
      "add_test(NAME good COMMAND grep -q good ${CMAKE_SOURCE_DIR}/a.txt)\n"
      "add_test(NAME there COMMAND test -e ${CMAKE_SOURCE_DIR}/a.txt)\n";
  expect({{"a.txt", "bad\n"}, {"CMakeLists.txt", added}, {".gitignore", "build\n"}},
         "cmake -S . -B build && ctest --test-dir build --output-on-failure",
         {
             {"the work", "echo good > a.txt", true},
             {"a disabled test",
              "echo 'set_tests_properties(good PROPERTIES DISABLED TRUE)' >> CMakeLists.txt"},
             {"a test that must fail",
              "echo 'set_tests_properties(good PROPERTIES WILL_FAIL TRUE)' >> CMakeLists.txt"},
             {"a test of the settings",
              "echo 'set(CTEST_CUSTOM_TESTS_IGNORE good)' > CTestCustom.cmake; echo "
              "'configure_file(CTestCustom.cmake CTestCustom.cmake COPYONLY)' >> CMakeLists.txt"},
         });
}

}  // namespace pedro
