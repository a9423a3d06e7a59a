#include "tools/test_results.h"

#include <doctest/doctest.h>

#include <string>

namespace pedro {
namespace {

struct Row {
  const char* runner;
  const char* output;
  std::vector<std::string> failed;
  bool any_passed;
};

}  // namespace

TEST_CASE("test results: the failed tests of each runner, and if any passed") {
  for (const Row& row : {
           Row{"pytest",
               "tests/test_cart.py:7: AssertionError\n"
               "=== short test summary info ===\n"
               "FAILED tests/test_cart.py::test_total[2-x] - assert 9 == 10\n"
               "ERROR tests/test_net.py - ImportError: no module\n"
               "=== 1 failed, 4 passed, 1 error in 0.12s ===\n",
               {"tests/test_cart.py::test_total[2-x]", "tests/test_net.py"},
               true},
           Row{"pytest, all fail",
               "FAILED test_a.py::test_a - assert 0\n1 failed in 0.01s\n",
               {"test_a.py::test_a"},
               false},
           Row{"unittest",
               "======\nFAIL: test_total (test_cart.CartTest.test_total)\n------\n"
               "ERROR: test_net (test_cart.CartTest.test_net)\n------\n"
               "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n",
               {"test_net (test_cart.CartTest.test_net)",
                "test_total (test_cart.CartTest.test_total)"},
               true},
           Row{"unittest, all fail",
               "FAIL: test_a (t.T.test_a)\nRan 1 test in 0.000s\n",
               {"test_a (t.T.test_a)"},
               false},
           Row{"CTest",
               "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n"
               "\t  2 - cart_total (Failed)\n",
               {"cart_total"},
               true},
           Row{"CTest, all fail",
               "0% tests passed, 1 tests failed out of 1\n\nThe following tests FAILED:\n"
               "\t  1 - cart (SEGFAULT)\n",
               {"cart"},
               false},
           Row{"Meson",
               "1/2 cart total        FAIL     0.01s   exit status 1\n2/2 other  OK  0.01s\n\n"
               "Ok:                 1   \nFail:               1   \n",
               {"cart total"},
               true},
           Row{"Go",
               "--- FAIL: TestTotal (0.00s)\n    --- FAIL: TestTotal/two (0.00s)\nFAIL\n"
               "FAIL\texample.com/cart\t0.002s\nok  \texample.com/net\t0.001s\n",
               {"TestTotal", "TestTotal/two", "example.com/cart"},
               true},
           Row{"Go, a package that does not build",
               "FAIL\texample.com/cart [build failed]\nok  \texample.com/net\t(cached)\n",
               {"example.com/cart [build failed]"},
               true},
           Row{"Cargo",
               "running 2 tests\ntest cart::tests::total ... FAILED\ntest net ... ok\n\n"
               "test result: FAILED. 1 passed; 1 failed; 0 ignored\n",
               {"cart::tests::total"},
               true},
           Row{"TAP", "1..2\nok 1 - net\nnot ok 2 - the total\n", {"the total"}, true},
           Row{"node", "not ok 1 - total\n# tests 2\n# pass 1\n# fail 1\n", {"total"}, true},
           Row{"Mocha",
               "  1 passing (5ms)\n  1 failing\n\n  1) Cart total:\n",
               {"Cart total:"},
               true},
           Row{"Jest",
               "  ● Cart › total\n\nTests:       1 failed, 2 passed, 3 total\n",
               {"Cart › total"},
               true},
           Row{"Surefire",
               "[ERROR] Failures: \n[ERROR]   CartTest.total:12 expected: <9>\n"
               "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n",
               {"CartTest.total"},
               true},
           Row{"Gradle",
               "CartTest > total() FAILED\n    java.lang.AssertionError\n\n"
               "3 tests completed, 1 failed\n",
               {"total()"},
               true},
           Row{"RSpec",
               "3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:3 # total\n",
               {"./spec/cart_spec.rb:3"},
               true},
           Row{"a compiler", "cart.c:3:1: error: expected ';'\nmake: *** [t] Error 1\n", {}, false},
           Row{"nothing", "", {}, false},
       }) {
    CAPTURE(row.runner);
    const TestResults results = read_test_results(row.output);
    CHECK(results.failed == row.failed);
    CHECK(results.any_passed == row.any_passed);
  }
}

TEST_CASE("test results: names are short, sorted and unique, and too many are none") {
  std::string many;
  for (int i = 0; i <= 2000; ++i) many += "not ok 1 - t" + std::to_string(i) + "\n";
  CHECK(read_test_results(many).failed.empty());
  const TestResults results = read_test_results(
      "not ok 1 - b\nnot ok 2 - a\nnot ok 3 - b\nnot ok 4 - " + std::string(300, 'c') + "\n");
  CHECK(results.failed == std::vector<std::string>{"a", "b", std::string(200, 'c')});
}

}  // namespace pedro
