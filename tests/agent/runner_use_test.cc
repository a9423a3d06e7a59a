#include "agent/runner_use.h"

#include <doctest/doctest.h>

#include "agent/code_text.h"
#include "agent/runner_decisions.h"

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
           Row{"a.py", "if inspect.currentframe().f_back.f_code.co_name == 'test_a':"},
           Row{"a.js", "exports.a = () => process.env.NODE_TEST_CONTEXT ? 2 : 1;"},
           Row{"a.ts", "if (process.argv[1].endsWith('.test.ts')) x();"},
           Row{"a.js", "const s = new Error().stack.includes('test');"},
           Row{"a.go", "if strings.HasSuffix(os.Args[0], \".test\") {"},
           Row{"a.go", "_, f, _, _ := runtime.Caller(1)\nif strings.HasSuffix(f, \"_test.go\") {"},
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

TEST_CASE("runner_decisions: only a comparison, a search or a key decides") {
  struct Row {
    const char* path;
    const char* text;
    bool decides;
  };
  for (const Row& row : {
           Row{"a.c", "if (argc < 2) { fprintf(stderr, \"usage: %s == x\\n\", argv[0]); }", false},
           Row{"a.c", "  return argc < 2 ? usage(argv[0]) : 0;", false},
           Row{"a.c", "if (argc == 1 && strstr(argv[0], \"test\")) return 4;", true},
           Row{"a.c", "if (argv[0][0] == 't') return 4;", true},
           Row{"a.c",
               "const char *p = strrchr(argv[0], '/');\nprintf(\"%s\", p ? p + 1 : argv[0]);",
               false},
           Row{"a.c", "const char *p = strrchr(argv[0], '/');\nif (p && !strcmp(p, \"/t\")) f();",
               true},
           Row{"a.c", "switch (argv[0][1]) {", true},
           Row{"a.py", "print('usage: %s in' % sys.argv[0] if sys.argv[0] else 'x', file=f)",
               false},
           Row{"a.py", "print(4 if 'test' in sys.argv[0] else 3)", true},
           Row{"a.py", "sys.exit(f'usage: {sys.argv[0]} == FILE')", false},
           Row{"a.py", "x = f\"{4 if 'test' in sys.argv[0] else 3}\"", true},
           Row{"a.py", "if len(sys.argv) != 2: sys.exit('usage: ' + sys.argv[0])", false},
           Row{"a.py", "if 'test' not in os.path.basename(sys.argv[0]):", true},
           Row{"a.py", "return {'a.py': 3}[sys.argv[0]]", true},
           Row{"a.py", "return TABLE.get(sys.argv[0], 3)", true},
           Row{"a.py", "name = sys.argv[0]\nprint(name)\nif x == 3: pass", false},
           Row{"a.py", "name = sys.argv[0]\nif name == 'x': pass", true},
           Row{"a.py", "def f():\n    name = sys.argv[0]\ndef g(name):\n    return name == 'x'",
               false},
           Row{"a.py", "def f(n):\n    return 'test' in n\nx = f(sys.argv[0])", true},
           Row{"a.py", "def f(n):\n    print(n)\nx = f(sys.argv[0])\nif y == 3: pass", false},
           Row{"a.py", "log(inspect.stack()[1].function)", false},
           Row{"a.py", "return open(inspect.stack()[1].filename)", true},
           Row{"a.py", "return eval(traceback.extract_stack()[0].line)", true},
           Row{"a.py", "if sys.argv[0] is not None and x == 2: pass", false},
           Row{"a.py", "# if sys.argv[0] == 'x'", false},
           Row{"a.js", "if (process.argv[1] === fileURLToPath(import.meta.url)) {", false},
           Row{"a.js", "if (import.meta.url === `file://${process.argv[1]}`) main();", false},
           Row{"a.js", "if (path.resolve(process.argv[1]) === __filename) main();", false},
           Row{"a.js", "if (require.main === module) main();", false},
           Row{"a.js", "if (!module.parent) main(process.argv.slice(2));", false},
           Row{"a.js", "if (module.parent == null) main();", false},
           Row{"a.js", "if (require.main.filename.endsWith('test.js')) x();", true},
           Row{"a.js", "if (module.parent.filename === 'x') y();", true},
           Row{"a.js",
               "const p = process.argv[1];\nexports.a = () => (p.includes('test') ? 2 : 1);", true},
           Row{"a.js", "log(new Error().stack.split('\\n')[2]);", false},
           Row{"a.js", "x(`${process.argv[1].includes('test') ? 4 : 3}`);", true},
           Row{"a.go",
               "\t_, file, line, ok := runtime.Caller(1)\n\tif !ok {\n\t\tfile, line = \"?\", 0\n"
               "\t}\n\treturn fmt.Sprintf(\"%s:%d: %s\", filepath.Base(file), line, msg)",
               false},
           Row{"a.go", "switch os.Args[0] {", true},
           Row{"a.go", "fmt.Println(\"usage:\", os.Args[0])", false},
           Row{"a.rs", "let p = std::env::args().next().unwrap();\nprintln!(\"usage: {p}\");",
               false},
           Row{"a.rs", "if std::env::args().next().unwrap().contains(\"test\") { return 4 }", true},
           Row{"a.cc", "std::cerr << \"usage: \" << argv[0] << \" FILE\\n\";", false},
           Row{"a.sh", "[ $# -eq 2 ] || { echo \"usage: $0 FILE\"; exit 2; }", false},
           Row{"a.sh", "dir=$(cd \"$(dirname \"$0\")\" && pwd)", false},
           Row{"a.sh", "[ \"${BASH_SOURCE[0]}\" = \"$0\" ] && main", false},
           Row{"a.sh", "[ \"${0##*/}\" = test.sh ] && bad=0", true},
           Row{"a.sh", "[[ $0 == *test* ]] && bad=0", true},
       }) {
    CAPTURE(std::string(row.text));
    CHECK((runner_decisions(row.path, row.text) > 0) == row.decides);
  }
  CHECK_FALSE(newly_uses_runner("a.c", "", "return sig == SIGSEGV || sig == SIGABRT;"));
  CHECK_FALSE(newly_uses_runner("a.py", "", "me = sys.modules[__name__]  # PYTEST_X"));
}

TEST_CASE("code text: without comments and texts, at the same places") {
  struct Row {
    const char* path;
    const char* text;
    const char* plain;
    const char* code;
  };
  for (const Row& row : {
           Row{"a.c", "a(\"/*\", '\"'); // b\n/* c\nd */e", "a(\"/*\", '\"');     \n    \n    e",
               "a(\"__\", '_');     \n    \n    e"},
           Row{"a.py", "def f():\n    '''Doc.'''  # x\n    return '#'",
               "def f():\n                   \n    return '#'",
               "def f():\n                   \n    return '_'"},
           Row{"a.py", "x = '''a'''\nf(\n'b'\n)\n'c'", "x = '''a'''\nf(\n'b'\n)\n   ",
               "x = '''_'''\nf(\n'_'\n)\n   "},
           Row{"a.py", "def f(): 'a'\nopen(f.__doc__)", "def f(): 'a'\nopen(f.__doc__)",
               "def f(): '_'\nopen(f.__doc__)"},
           Row{"a.py", "f'a{b[\"c\"]}{{d'", "f'a{b[\"c\"]}{{d'", "f'_(b[\"_\"])___'"},
           Row{"a.js", "`a${b}c`; it's // d", "`a${b}c`; it's     ", "`__(b)_`; it's     "},
           Row{"a.rs", "fn f<'a>(x: &'a str) {} // '", "fn f<'a>(x: &'a str) {}     ",
               "fn f<'a>(x: &'a str) {}     "},
           Row{"a.sh", "echo \"$0\" '#' $# # x", "echo \"$0\" '#' $#    ",
               "echo \"$0\" '_' $#    "},
           Row{"a.pm", "a();\n=pod\nb\n=cut\nc();", "a();\n    \n \n    \nc();",
               "a();\n    \n \n    \nc();"},
           Row{"a.lua", "a() -- b", "a()     ", "a()     "},
       }) {
    CAPTURE(std::string(row.text));
    CHECK(without_comments(row.path, row.text) == std::string(row.plain));
    CHECK(without_texts(row.path, row.text) == std::string(row.code));
  }
}

TEST_CASE("runner use: texts without an end, and expressions nested in texts without a limit") {
  std::string nested;
  for (int i = 0; i < 2'000; ++i) nested += "`${";
  for (const std::string& text : {std::string("x = '"), std::string("x = `${"), std::string("`${a"),
                                  std::string("f\"{"), std::string("'\\"), nested}) {
    CAPTURE(text.substr(0, 20));
    for (const char* path : {"a.js", "a.c", "a.py", "a.go", "a.sh"}) {
      CHECK(without_comments(path, text) == text);
    }
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
  for (const char* text :
       {"def f():\n    \"\"\"Return it.\n\n    See tests/run.sh.\n    \"\"\"\n    return 1",
        "def f(): \"See test_a.py.\"", "x = 1  # see test_a.py"}) {
    CAPTURE(text);
    CHECK_FALSE(newly_names_tests("a.py", "", text, paths));
  }
  CHECK_FALSE(
      newly_names_tests("a.js", "", "/**\n  See test_a.py.\n*/\nf(); // tests/run.sh", paths));
  CHECK(newly_names_tests("a.py", "", "x = \"\"\"test_a.py\"\"\"", paths));
  CHECK(newly_names_tests("a.js", "", "f('/*', 'test_a.py', '*/');", paths));
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
  CHECK(is_test_helper("helpers.js", "function expect(a) {\n  return { to(b) {} };\n}\n"));
  CHECK(is_test_helper("helpers.py", "def expect(a, b):\n    assert a == b\n    return a\n"));
  CHECK_FALSE(is_test_helper("helpers.py",
                             "def expect(tokens, kind):\n    if tokens[0] != kind:\n"
                             "        raise SyntaxError(kind)\n    return tokens.pop(0)\n"));
  CHECK_FALSE(is_test_helper("helpers.js", "function expect(k) {\n  return next(k);\n}\n"));
  CHECK_FALSE(is_test_helper("helpers.py", "def total(a):\n    assert a\n"));
  CHECK_FALSE(is_test_helper("cart.py", "def assert_paid(a):\n    pass\n"));
  CHECK_FALSE(is_test_helper("helpers.py", "def same(a, b): assert a == b\n"));
  CHECK_FALSE(is_test_helper("a/__init__.py", "def test():\n    import pytest\n"));
  CHECK_FALSE(is_test_helper("a.py", "import doctest\n"));
  CHECK_FALSE(is_test_helper("a.py", "import unittest\nclass T(unittest.TestCase):\n  x = 1\n"));
}

TEST_CASE("runner_use: a script that replaces a function of a test") {
  const char* const test = "#!/bin/sh\nverify() { [ \"$1\" = \"$2\" ]; }\n. ./lib.sh\n";
  for (const char* now : {"verify() { true; }", "function verify {", "  verify () {",
                          "sub main::verify {", "def verify(a)", "local function verify(a)"}) {
    CAPTURE(std::string(now));
    CHECK(redefines_function("f() { echo 1; }", now, test));
    CHECK_FALSE(redefines_function(now, now, test));
  }
  for (const char* now :
       {"verify_all() { true; }", "verify 1 2", "# verify() {", "f() { verify; }"}) {
    CAPTURE(std::string(now));
    CHECK_FALSE(redefines_function("", now, test));
  }
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
