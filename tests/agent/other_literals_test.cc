#include "agent/other_literals.h"

#include <doctest/doctest.h>

using namespace pedro;

TEST_CASE("other literals: assertions of languages without a canary") {
  struct Row {
    const char* path;
    const char* line;
    const char* expected;  // null: unchanged
  };
  for (const Row& row : {
           Row{"t.c", "  assert(sum(a, 2) == 3);", "  assert(sum(a, 4) == 12);"},
           Row{"t.c", "assert(strcmp(name('x'), \"b\") == 0);",
               "assert(strcmp(name('x'), \"b~2\") == 9);"},
           Row{"t.cc", "  EXPECT_EQ(sum({1, 2}), 3);", "  EXPECT_EQ(sum({3, 11}), 38);"},
           Row{"T.java", "    assertEquals(3, A.sum(1, 2));",
               "    assertEquals(5, A.sum(10, 37));"},
           Row{"t/a.t", "is(total(4), 4, 'one');  # Test::More",
               "is(total(6), 13, 'one~35');  # Test::More"},
           Row{"t.sh", "check \"$(add 1 2)\" 3 \"one two\"",
               "check \"$(add 3 11)\" 38 \"one two~137\""},
           Row{"t.sh", "[ \"$(add 1 2)\" = \"$1\" ] || exit 1",
               "[ \"$(add 3 11)\" = \"$1~35\" ] || exit 1"},
           Row{"t.c", "  CHECK_INT(3, f(1));", "  CHECK_INT(5, f(10));"},
           Row{"t.c", "  if (f(2) != 3) return 1;", "  if (f(4) != 12) return 1;"},
           Row{"t.c", "int main(void) { assert(f(1) == 2); return 0; }",
               "int main(void) { assert(f(3) == 11); return 0; }"},
           Row{"t.c", "void t(void) { int a = 1; EXPECT_EQ(f(a), 'x', 3); }",
               "void t(void) { int a = 1; EXPECT_EQ(f(a), 'x', 5); }"},
           Row{"t.sh", "[ \"$(f x)\" = x ] || exit 1", "[ \"$(f x)\" = x~ ] || exit 1"},
           Row{"t.sh", "[ 3 = \"$(f 2)\" ] && [ a = \"$(f b)\" ]",
               "[ 5 = \"$(f 11)\" ] && [ a = \"$(f b)\" ]"},
           Row{"t.sh", "[ a = \"$(f b)\" ] || exit 1", "[ a~ = \"$(f b)\" ] || exit 1"},
           Row{"t.sh", "check \"$(f b)\" a-b", "check \"$(f b)\" a-b~"},
           Row{"t.sh", "[ \"$(f)\" = \"$x\" ] || exit 1", "[ \"$(f)\" = \"$x~2\" ] || exit 1"},
           Row{"t.sh", "[ \"$(f)\" = $x ] || exit 1", nullptr},
           Row{"t.sh", "[ \"$(uname)\" = Linux ] || exit 0", nullptr},
           Row{"t.c", "  if (strcmp(f(), \"b\")) return 1;",
               "  if (strcmp(f(), \"b~2\")) return 1;"},
           Row{"t.c", "  if (strcmp(argv[1], \"b\") != 0) return usage(2);", nullptr},
           Row{"t.c", "  if (strcmp(name, \"b\") == 0) return run(2);", nullptr},
           Row{"t.c", "#define CHECK(x) ((x) == 1)", nullptr},
           Row{"check.h", "    if (got_ == NULL || strcmp(want_, got_) != 0) { \\", nullptr},
           Row{"a.c", "if (fclose(f) != 0) return 1;", nullptr},
           Row{"t.c", "int a[] = {1, 2};", nullptr},
           Row{"t.sh", "if [ \"$1\" = \"-v\" ]; then", nullptr},
           Row{"t.sh", "check() { [ \"$1\" = \"$(cat b2)\" ]; }", nullptr},
           Row{"t.sh", "out=$(add 1 2) 2>&1", nullptr},
       }) {
    CAPTURE(row.line);
    const auto others = other_literals({{row.path, std::string(row.line) + "\n"}});
    CHECK(others.empty() == (row.expected == nullptr));
    if (row.expected != nullptr && !others.empty()) {
      CHECK(others.at(row.path) == std::string(row.expected) + "\n");
    }
  }
}

TEST_CASE("other literals: calls of the files' own functions that compare") {
  struct Row {
    const char* path;
    const char* text;
    const char* expected;  // null: unchanged
  };
  for (const Row& row : {
           Row{"t.sh", "verify() { [ \"$1\" = \"$2\" ] || bad=1; }\nverify \"$(f 2)\" 4\n",
               "verify() { [ \"$1\" = \"$2\" ] || bad=1; }\nverify \"$(f 4)\" 13\n"},
           Row{"t.sh",
               "try() {\n  got=$(f \"$1\")\n  test \"$got\" = \"$2\" || exit 1\n}\ntry a b-c\n",
               "try() {\n  got=$(f \"$1\")\n  test \"$got\" = \"$2\" || exit 1\n}\ntry a b-c~\n"},
           Row{"t.py",
               "def same(got, want):\n    if got != want:\n        bad.append(got)\nsame(f(1), "
               "2)\n",
               "def same(got, want):\n    if got != want:\n        bad.append(got)\nsame(f(3), "
               "11)\n"},
           Row{"t.c", "#define TRY(a, b) if ((a) != (b)) bad++\nvoid t(void) { TRY(f(1), 2); }\n",
               "#define TRY(a, b) if ((a) != (b)) bad++\nvoid t(void) { TRY(f(3), 11); }\n"},
           Row{"t.js", "function same(a, b) {\n  if (a !== b) bad++;\n}\nsame(f(1), 2);\n",
               "function same(a, b) {\n  if (a !== b) bad++;\n}\nsame(f(3), 11);\n"},
           Row{"t.sh", "log() { echo \"$1 $2\"; }\nlog a 2\n", nullptr},
           Row{"t.py", "def log(a, b):\n    print(a, b)\nlog(f(1), 2)\n", nullptr},
       }) {
    CAPTURE(std::string(row.text));
    const auto others = other_literals({{row.path, row.text}});
    CHECK(others.empty() == (row.expected == nullptr));
    if (row.expected != nullptr && !others.empty()) {
      CHECK(others.at(row.path) == std::string(row.expected));
    }
  }
}

TEST_CASE("other literals: all other bytes stay") {
  CHECK(other_literals({{"t.c", "int a;\r\nassert(f(1) == 2);\r\n// end"}}).at("t.c") ==
        "int a;\r\nassert(f(3) == 11);\r\n// end");
  CHECK(other_literals({{"t.c", "int a;\r\n"}, {"t.sh", "a"}}).empty());
}
