#include "tools/test_results.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {
namespace {

struct Row {
  const char* name;
  const char* output;
  std::vector<std::string> failed;
  long long passed;
};

}  // namespace

TEST_CASE("test results: the failed tests and the number of passed ones") {
  for (const Row& row : {
           Row{"pytest",
               "tests/test_cart.py:7: AssertionError\n"
               "=== short test summary info ===\n"
               "FAILED tests/test_cart.py::test_total[a b] - assert 9 == 10\n"
               "ERROR tests/test_net.py - ImportError: no module\n"
               "=== 1 failed, 4 passed, 1 error in 0.12s ===\n",
               {"tests/test_cart.py::test_total[a b]", "tests/test_net.py"},
               4},
           Row{"pytest -q",
               "FAILED test_a.py::test_a - assert 0\n1 failed in 0.01s\n",
               {"test_a.py::test_a"},
               0},
           Row{"pytest, a failure without a line",
               "FAILED test_a.py::test_a\n2 failed, 3 passed in 0.01s\n",
               {},
               3},
           Row{"pytest -x",
               "FAILED test_a.py::test_a\n!!! stopping after 1 failures !!!\n"
               "1 failed, 3 passed in 0.01s\n",
               {},
               3},
           Row{"pytest, an error of collection",
               "ERROR test_a.py\n!!! Interrupted: 1 error during collection !!!\n"
               "1 error in 0.01s\n",
               {},
               0},
           Row{"unittest",
               "======\nFAIL: test_total (test_cart.CartTest.test_total) (i=1)\n------\n"
               "ERROR: test_net (test_cart.CartTest.test_net)\n------\n"
               "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n",
               {"test_net (test_cart.CartTest.test_net)",
                "test_total (test_cart.CartTest.test_total) (i=1)"},
               3},
           Row{"unittest, an unexpected success",
               "FAIL: test_a (t.T.test_a)\nUNEXPECTED SUCCESS: test_b (t.T.test_b)\n"
               "Ran 3 tests in 0.001s\nFAILED (failures=1, unexpected successes=1)\n",
               {},
               2},
           Row{"CTest",
               "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n"
               "\t  2 - the cart adds up (Failed)\nErrors while running CTest\n",
               {"the cart adds up"},
               1},
           Row{"two runs",
               "1 failed, 4 passed in 0.1s\nFAILED a.py::x - 1\n1 failed, 2 passed in 0.1s\n"
               "FAILED b.py::x - 1\n",
               {"a.py::x", "b.py::x"},
               6},
           Row{"a compiler", "cart.c:3:1: error: expected ';'\nmake: *** [t] Error 1\n", {}, 0},
           Row{"nothing", "", {}, 0},
       }) {
    CAPTURE(row.name);
    const TestResults results = read_test_results(row.output);
    CHECK(results.failed == row.failed);
    CHECK(results.passed == row.passed);
  }
}

TEST_CASE("test results: names of too many tests are not kept") {
  const auto of = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "FAILED a.py::t" + std::to_string(i) + "\n";
    return read_test_results(text + std::to_string(count) + " failed in 1s\n").failed.size();
  };
  CHECK(of(2000) == 2000);
  CHECK(of(2001) == 0);
}

}  // namespace pedro
