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
           Row{"t.c", "  assert(sum(a, 2) == 3);", "  assert(sum(a, 3) == 6);"},
           Row{"t.c", "assert(strcmp(name('x'), \"b\") == 0);",
               "assert(strcmp(name('x'), \"b~1\") == 3);"},
           Row{"t.cc", "  EXPECT_EQ(sum({1, 2}), 3);", "  EXPECT_EQ(sum({2, 5}), 10);"},
           Row{"T.java", "    assertEquals(3, A.sum(1, 2));", "    assertEquals(4, A.sum(4, 9));"},
           Row{"t/a.t", "is(total(4), 4, 'one');  # Test::More",
               "is(total(5), 7, 'one~7');  # Test::More"},
           Row{"t.sh", "check \"$(add 1 2)\" 3 \"one two\"",
               "check \"$(add 2 5)\" 10 \"one two~13\""},
           Row{"t.sh", "[ \"$(add 1 2)\" = \"$1\" ] || exit 1",
               "[ \"$(add 2 5)\" = \"$1~7\" ] || exit 14"},
           Row{"t.c", "#define CHECK(x) ((x) == 1)", nullptr},
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
