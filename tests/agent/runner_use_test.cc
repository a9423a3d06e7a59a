#include "agent/runner_use.h"

#include <doctest/doctest.h>

using namespace pedro;

TEST_CASE("runner_use: a source that newly reaches a runner") {
  for (const char* now :
       {"import pytest", "from unittest import mock", "import sys\nsys.modules['x']",
        "import os\nos._exit(0)", "import gc\ngc.get_objects()"}) {
    CAPTURE(now);
    CHECK(newly_uses_runner("a.py", "x = 1", now));
    CHECK_FALSE(newly_uses_runner("a.py", now, now));
    CHECK_FALSE(newly_uses_runner("a.md", "", now));
  }
  for (const char* now : {"import sys", "from diagnose import x", "x = 'pytest'", "import nosey"}) {
    CAPTURE(now);
    CHECK_FALSE(newly_uses_runner("a.py", "x = 1", now));
  }
}

TEST_CASE("runner_use: a source that newly asks who runs it") {
  struct Row {
    const char* path;
    const char* line;
  };
  for (const Row& row : {
           Row{"a.py", "if 'test' in sys.argv[0]:"},
           Row{"a.py", "return os.environ.get('PYTEST_CURRENT_TEST')"},
           Row{"a.py", "name = inspect.currentframe().f_back"},
           Row{"a.js", "exports.a = () => process.env.NODE_TEST_CONTEXT ? 2 : 1;"},
           Row{"a.ts", "if (process.argv[1].endsWith('.test.ts')) x();"},
           Row{"a.js", "const s = new Error().stack;"},
           Row{"a.go", "if strings.HasSuffix(os.Args[0], \".test\") {"},
           Row{"a.go", "_, f, _, _ := runtime.Caller(1)"},
           Row{"a.rs", "if cfg!(test) { return 2 }"},
           Row{"a.c", "if (strcmp(program_invocation_short_name, \"t\")) return 0;"},
           Row{"a.c",
               "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {}"},
           Row{"A.pm", "return 0 unless $ENV{HARNESS_ACTIVE};"},
           Row{"a.go", "if os.Getenv(\"GOFLAGS\") == \"-v\" {"},
           Row{"a.go", "os.Args = append(os.Args, \"-test.skip=TestA\")"},
           Row{"a.py", "os._exit(0)"},
           Row{"a.sh", "diff() { return 0; }"},
           Row{"a.sh", "  function grep () {"},
           Row{"a.sh", "alias cmp=true"},
       }) {
    CAPTURE(row.line);
    CHECK(newly_uses_runner(row.path, "", row.line));
    CHECK_FALSE(newly_uses_runner(row.path, row.line, row.line));
  }
  CHECK(newly_uses_runner("a.py", "print(sys.argv[0] == 'a')",
                          "print(sys.argv[0] == 'a')\nif sys.argv[0] == 'b': pass"));
  CHECK_FALSE(newly_uses_runner("a.py", "", "if os.fork() == 0:\n    os._exit(0)"));
  CHECK_FALSE(newly_uses_runner("a.sh", "", "difference() { return 0; }"));
  for (const Row& row : {Row{"a.c", "printf(\"usage: %s FILE\\n\", argv[0]);"},
                         Row{"a.py", "name = sys.argv[1] if len(sys.argv) > 1 else ''"},
                         Row{"a.rs", "#[cfg(test)]"}, Row{"a.go", "x := os.Args[1:]"}}) {
    CAPTURE(row.line);
    CHECK_FALSE(newly_uses_runner(row.path, "", row.line));
  }
}

TEST_CASE("runner_use: new lines that name tests or their outputs") {
  const std::set<std::string> paths = {"a.py", "test_a.py", "tests/want.txt", "b.expected",
                                       "tests/run.sh"};
  for (const char* line :
       {"open('test_a.py').read()", "cat tests/want.txt", "x = 'b.expected'", "sh tests/run.sh"}) {
    CAPTURE(line);
    CHECK(newly_names_tests("a.py", "", line, paths));
    CHECK_FALSE(newly_names_tests("a.py", line, line, paths));
    CHECK_FALSE(newly_names_tests("a.py", "", std::string("# see ") + line, paths));
    CHECK_FALSE(newly_names_tests("tests/b.py", "", line, paths));
    CHECK_FALSE(newly_names_tests("a.md", "", line, paths));
  }
  CHECK_FALSE(newly_names_tests("a.py", "", "open('want.txt'); run('run.sh'); a.py", paths));
}

TEST_CASE("runner_use: a module with assertions for tests") {
  CHECK(is_test_helper("helpers.py", "import pytest\ndef same(a, b): assert a == b\n"));
  CHECK(is_test_helper("testing/asserts.py", "from unittest import TestCase\n"));
  CHECK(is_test_helper("help.js", "const test = require('node:test');\n"));
  CHECK(is_test_helper("helper.go", "package a\nimport (\n\"testing\"\n)\n"));
  CHECK(is_test_helper("testing/a.py", "def assert_same(a, b):\n    assert a == b\n"));
  CHECK(is_test_helper("lib/asserts.py", "def same(a, b):\n    assert a == b\n"));
  CHECK(is_test_helper("helpers.js", "function expectSame(a, b) {}\n"));
  CHECK_FALSE(is_test_helper("helpers.py", "def total(a):\n    assert a\n"));
  CHECK_FALSE(is_test_helper("cart.py", "def assert_paid(a):\n    pass\n"));
  CHECK_FALSE(is_test_helper("helpers.py", "def same(a, b): assert a == b\n"));
  CHECK_FALSE(is_test_helper("a/__init__.py", "def test():\n    import pytest\n"));
  CHECK_FALSE(is_test_helper("a.py", "import doctest\n"));
  CHECK_FALSE(is_test_helper("a.py", "import unittest\nclass T(unittest.TestCase):\n  x = 1\n"));
}

TEST_CASE("runner_use: new lines that replace an assertion") {
  for (const char* line :
       {"#define assert(x)", "# undef assert", "#define NDEBUG", "#define EXPECT_EQ(a, b)",
        "#define TEST_CASE(x) void f()", "macro_rules! assert_eq {", "use fake::assert_eq;",
        "pub use crate::no::{x, assert_ne};", "#define strcmp(a, b) 0", "#define main other",
        "#define\tassert(x)", "#\tdefine \\\n  assert(x)", "#/* a */define assert(x)",
        "%:define assert(x)", "#[allow(unused_macros)] macro_rules! assert_eq {",
        "macro_rules!assert_eq {", "mod a { macro_rules !\n  assert {"}) {
    CAPTURE(line);
    CHECK(replaces_assertions("a.h", "int a;", std::string("int a;\n") + line));
    CHECK_FALSE(replaces_assertions("a.rs", line, line));
  }
  for (const char* line : {"#define CART_H", "assert(x);", "macro_rules! total {", "use a::b;",
                           "#include <assert.h>", "#define LATEST 1", "// #define assert",
                           "#[derive(Debug)] struct A;", "#define total \\\n  assert(x)"}) {
    CAPTURE(line);
    CHECK_FALSE(replaces_assertions("a.h", "", line));
  }
  CHECK_FALSE(replaces_assertions("a.py", "", "# define main"));
}
