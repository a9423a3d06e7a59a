#include <doctest/doctest.h>

#include "agent/failing_texts.h"
#include "agent/kept_tests.h"
#include "base/text.h"

using namespace pedro;

namespace {

const std::string kProgram =
    "#include <stdio.h>\n#include \"m.h\"\nstatic int fails;\n"
    "#define CHECK(x) ((x) ? 0 : fails++)\n\nstatic int twice(int x) {\n  return x;\n}\n\n"
    "static void test_twice(void) {\n  CHECK(twice(2) == 4);\n}\n\n"
    "int main(void) {\n  test_twice();\n  return fails != 0;\n}\n";

}  // namespace

TEST_CASE("test program: is one that compares the results of calls") {
  struct Row {
    const char* path;
    std::string text;
    bool expected;
  };
  const Row rows[] = {
      {"t.c", kProgram, true},
      {"t.c", "int main(void) {\n  assert(sum(a, 2) == 3);\n  return 0;\n}\n", true},
      {"t.c",
       "int main(void) {\n  if (sum(1, 2) != 3) return fail(1);\n  if (sum(2, 2) != 4) return "
       "fail(2);\n}\n",
       true},
      {"T.java",
       "class T {\n  public static void main(String[] a) {\n    check(M.sum(1, 2) == 3);\n  }\n}\n",
       true},
      {"t.c", "int main(void) {\n  expect_int(sum(1, 2), 3);\n  return 0;\n}\n", true},
      {"t.cpp", "int main() {\n  assertEqual(3, sum(1, 2), \"sum\");\n}\n", true},
      {"main.c", "int main(void) {\n  check(start(&t, 1), \"start\");\n}\n", false},
      {"main.go",
       "func main() {\n\tif sum(1, 2) != 3 {\n\t\tpanic(1)\n\t}\n\tif sum(2, 2) != 4 {\n"
       "\t\tpanic(2)\n\t}\n}\n",
       true},
      {"main.rs", "fn main() {\n    assert_eq!(sum(1, 2), 3);\n}\n", true},
      {"main.c",
       "int main(int argc, char** argv) {\n  assert(argc == 2);\n  return run(argv);\n}\n", false},
      {"main.c", "int main(int argc, char** argv) {\n  if (argc != 2) return usage();\n}\n", false},
      {"main.c",
       "int main(void) {\n  if (fread(b, 4, 1, f) != 1) return fail(\"short file\");\n  return "
       "0;\n}\n",
       false},
      {"main.c",
       "int main(void) {\n  if (fread(b, 4, 1, f) != 1) return fail(\"short\");\n"
       "  if (fread(b, 4, 2, f) != 2) return fail(\"short\");\n}\n",
       false},
      {"main.go",
       "func main() {\n\tif err := load(\"a\"); err != nil {\n\t\tlog.Fatal(err)\n\t}\n"
       "\tif n, err := count(\"a1\"); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n",
       false},
      {"main.c", "int main(int n, char** v) {\n  assert(strlen(v[1]) == 3);\n}\n", false},
      {"t.c", "int main(void) { assert(sum(a, 2) == 3); return 0; }\n", true},
      {"main.c",
       "int main(int argc, char** argv) {\n  if (strcmp(argv[1], \"a\") == 0) { puts(\"1\"); }\n"
       "  if (strcmp(argv[1], \"b\") == 0) { puts(\"2\"); }\n  return fail(1);\n}\n",
       false},
      {"main.c",
       "int main(int argc, char** argv) {\n  if (parse(argv[1]) != 1) return fail(1);\n"
       "  if (parse(argv[2]) != 2) return fail(2);\n}\n",
       false},
      {"t.c",
       "int main(void) {\n  if (strcmp(name(1), \"a\") != 0) return fail(1);\n"
       "  if (strcmp(name(2), \"b\")) return fail(2);\n}\n",
       true},
      {"m.c", "int sum(int a, int b) {\n  assert(valid(a) == 1);\n  return a + b;\n}\n", false},
      {"t.py", "def main():\n    assert f(1) == 2\n", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(is_test_program(row.path, row.text) == row.expected);
  }
}

TEST_CASE("test program: keeps its tests if only other functions change") {
  const auto keeps = [](const std::string& from, const std::string& to) {
    return keeps_test_program("t.c", kProgram, replace_all(kProgram, from, to));
  };
  CHECK(keeps("return x;", "return 2 * x;"));
  CHECK(keeps("static int twice(int x) {",
              "static int sum(int a, int b) {\n  return a + b;\n}\n\nstatic int twice(int x) {"));
  CHECK(keeps("#include <stdio.h>", "#include <stdio.h>\n#include <string.h>"));
  CHECK_FALSE(keeps("== 4", "== 2"));
  CHECK_FALSE(keeps("  CHECK(twice(2) == 4);\n", ""));
  CHECK_FALSE(keeps("return fails != 0", "return 0"));
  CHECK_FALSE(keeps("test_twice();", "return 0;"));
  CHECK_FALSE(keeps("((x) ? 0 : fails++)", "(0)"));
  CHECK_FALSE(keeps("static int fails;", "static int fails;\n#define fails 0"));
  CHECK_FALSE(keeps("#include \"m.h\"", "#include \"n.h\""));
  const std::string short_one =
      "int f(int x) { return x; }\nint main(void) {\n  CHECK(f(1) == 2);\n}\n";
  CHECK(keeps_test_program("t.c", short_one, replace_all(short_one, "return x", "return x + 1")));
  CHECK_FALSE(keeps_test_program("t.c", short_one, replace_all(short_one, "== 2", "== 1")));
  const std::string line = "int main(void) { assert(f(1) == 2); return 0; }\nint f(int x);\n";
  CHECK(keeps_test_program("t.c", line, replace_all(line, "int x", "int y")));
  CHECK_FALSE(keeps_test_program("t.c", line, replace_all(line, "== 2", "== 1")));
  const std::string java =
      "class T {\n  static int f(int x) {\n    return x;\n  }\n"
      "  public static void main(String[] a) {\n    check(f(1) == 2);\n  }\n}\n";
  CHECK(keeps_test_program("T.java", java, replace_all(java, "return x", "return x + 1")));
  CHECK_FALSE(keeps_test_program("T.java", java, replace_all(java, "== 2", "== 1")));
  CHECK_FALSE(
      keeps_test_program("T.java", java, replace_all(java, "class T {", "class T {\n  int a;")));
}

TEST_CASE("failing start: is the first action of a program") {
  struct Row {
    const char* path;
    const char* text;
    const char* expected;
  };
  const Row rows[] = {
      {"T.java", "class T {}\n", ""},
      {"t.go", "func main() {\n\tf()\n}\n",
       "func main() { if len(\"~\") > 0 { panic(\"~\") };\n\tf()\n}\n"},
      {"t.rs", "fn main() { f() }\n",
       "fn main() { if std::env::args().count() < 999 { std::process::exit(1); } f() }\n"},
      {"t.mjs", "import m from './m.mjs';\n", ""},
      {"t.js", "require('./m');\n", "if (Date.now() > 0) throw new Error();\nrequire('./m');\n"},
      {"T.java", "static void main(String[] a) {\n}\n",
       "static void main(String[] a) { System.exit(1);\n}\n"},
      {"t.py", "#!/usr/bin/python3\nimport m\n",
       "#!/usr/bin/python3\n__stop__ = 1 / 0\nimport m\n"},
      {"t.py", "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport m\n",
       "\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n__stop__ = 1 / 0\nimport m\n"},
      {"t.sh", "#!/bin/sh\n. ./lib.sh\n", "#!/bin/sh\ntest -z \"$PATH\" || exit 1\n. ./lib.sh\n"},
      {"t.t", "use Sum;\n", "BEGIN { exit 1 }\nuse Sum;\n"},
      {"t/a.t", "#!/bin/sh\necho 1..1\n", "#!/bin/sh\ntest -z \"$PATH\" || exit 1\necho 1..1\n"},
      {"tests/run", "#!/usr/bin/env python3\nimport m\n",
       "#!/usr/bin/env python3\n__stop__ = 1 / 0\nimport m\n"},
      {"t.unknown", "x\n", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(failing_start(row.path, row.text) == row.expected);
  }
  CHECK(failing_start("t.c", "int main(void) {}\n").starts_with("int main(void) {}\n\nstatic"));
}
