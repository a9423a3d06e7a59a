#include <doctest/doctest.h>

#include "agent/known_failures.h"

using namespace pedro;

TEST_CASE("failing_lines: an answer is better if it fixes failures and adds none") {
  struct Row {
    const char* name;
    const char* before;
    const char* after;
    bool improves;
  };
  for (const Row& row : {
           Row{"one of two tests passes", "FAIL: test_a (line 4)\nFAIL: test_b\n2 failed",
               "FAIL: test_a (line 5)\n1 failed", true},
           Row{"the same failure", "FAIL: test_a", "FAIL: test_a", false},
           Row{"another failure", "FAIL: test_a\nFAIL: test_b", "FAIL: test_c", false},
           Row{"a compiler's error", "FAIL: test_a\nFAIL: test_b", "src/a.c:3: error: no x", false},
           Row{"one test fails twice as often", "FAIL: a\nFAIL: b\nFAIL: c", "FAIL: a\nFAIL: a",
               false},
           Row{"nothing is reported", "FAIL: test_a", "Killed", false},
           Row{"a crash", "FAIL: test_a\nFAIL: test_b", "FAIL: test_a\nSegmentation fault", false},
           Row{"the test stops later", "tests/a_test.c:12: expected 1",
               "tests/a_test.c:19: expected 3", true},
           Row{"the test stops earlier", "tests/a_test.c:12: expected 1",
               "tests/a_test.c:9: expected 1", false},
           Row{"another test stops", "tests/a_test.c:12: expected 1",
               "tests/b_test.c:19: expected 1", false},
           Row{"the code stops later", "src/a.c:12: assertion failed",
               "src/a.c:19: assertion failed", false},
           Row{"one failure of two is replaced",
               "tests/a_test.c:2: expected 1\ntests/a_test.c:5: expected 2",
               "tests/a_test.c:5: expected 2\ntests/a_test.c:9: expected 3", false},
       }) {
    CAPTURE(row.name);
    CHECK(FailingLines(row.after).improves(FailingLines(row.before)) == row.improves);
  }
}

TEST_CASE("failing_lines: new failures are distinguished from earlier ones") {
  struct Row {
    const char* name;
    const char* before;
    const char* after;
    bool adds;
  };
  for (const Row& row : {
           Row{"the same, at another line", "FAIL: test_a (line 4)", "FAIL: test_a (line 9)",
               false},
           Row{"fewer", "FAIL: test_a\nFAIL: test_b", "FAIL: test_b", false},
           Row{"another", "FAIL: test_a", "FAIL: test_b", true},
           Row{"one more", "FAIL: test_a", "FAIL: test_a\nFAIL: test_b", true},
           Row{"the same twice", "FAIL: test_a", "FAIL: test_a\nFAIL: test_a", true},
           Row{"none", "FAIL: test_a", "", false},
       }) {
    CAPTURE(row.name);
    CHECK(FailingLines(row.after).adds_to(FailingLines(row.before)) == row.adds);
  }
}
