#include "tools/test_results.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace pedro {
namespace {

struct Row {
  const char* name;
  const char* output;
  std::vector<std::string> failed;
  long long ran;
};

}  // namespace

TEST_CASE("test results: the failed tests and the number of tests that ran") {
  for (const Row& row : {
           Row{"pytest",
               "tests/test_cart.py:7: AssertionError\n"
               "=== short test summary info ===\n"
               "FAILED tests/test_cart.py::test_total[a b] - assert 9 == 10\n"
               "ERROR tests/test_net.py - ImportError: no module\n"
               "=== 1 failed, 4 passed, 1 error in 0.12s ===\n",
               {"tests/test_cart.py::test_total[a b]", "tests/test_net.py"},
               6},
           Row{"pytest -q",
               "FAILED test_a.py::test_a - assert 0\n1 failed in 0.01s\n",
               {"test_a.py::test_a"},
               1},
           Row{"pytest, a failure that is expected does not count as run",
               "FAILED test_a.py::test_a\n1 failed, 3 passed, 1 skipped, 2 xfailed in 0.01s\n",
               {"test_a.py::test_a"},
               4},
           Row{"pytest, a failure without a line",
               "FAILED test_a.py::test_a\n2 failed, 3 passed in 0.01s\n",
               {},
               5},
           Row{"pytest -x",
               "FAILED test_a.py::test_a\n!!! stopping after 1 failures !!!\n"
               "1 failed, 3 passed in 0.01s\n",
               {},
               4},
           Row{"pytest, an error of collection",
               "ERROR test_a.py\n!!! Interrupted: 1 error during collection !!!\n"
               "1 error in 0.01s\n",
               {},
               1},
           Row{"unittest",
               "======\nFAIL: test_total (test_cart.CartTest.test_total) (i=1)\n------\n"
               "ERROR: test_net (test_cart.CartTest.test_net)\n------\n"
               "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n",
               {"test_net (test_cart.CartTest.test_net)",
                "test_total (test_cart.CartTest.test_total) (i=1)"},
               4},
           Row{"unittest, an unexpected success",
               "FAIL: test_a (t.T.test_a)\nUNEXPECTED SUCCESS: test_b (t.T.test_b)\n"
               "Ran 3 tests in 0.001s\nFAILED (failures=1, unexpected successes=1)\n",
               {},
               3},
           Row{"CTest",
               "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n"
               "\t  2 - the cart adds up (Failed)\nErrors while running CTest\n",
               {"the cart adds up"},
               2},
           Row{"two runs",
               "1 failed, 4 passed in 0.1s\nFAILED a.py::x - 1\n1 failed, 2 passed in 0.1s\n"
               "FAILED b.py::x - 1\n",
               {"a.py::x", "b.py::x"},
               8},
           Row{"a compiler", "cart.c:3:1: error: expected ';'\nmake: *** [t] Error 1\n", {}, 0},
           Row{"nothing", "", {}, 0},
       }) {
    CAPTURE(row.name);
    const TestResults results = read_test_results(row.output);
    CHECK(results.failed == row.failed);
    CHECK(results.ran == row.ran);
  }
}

namespace {

// Real outputs, with other paths.
std::string recorded(const std::string& name) {
  std::ifstream file(std::string(TEST_DATA) + "/test_results/" + name);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("test results: the real outputs of runners") {
  const std::vector<std::string> go = {"example.com/shop::TestNetwork",
                                       "example.com/shop::TestNetwork/slow",
                                       "example.com/shop::TestTotal"};
  for (const Row& row : {
           Row{"go.txt", "", go, 0},
           Row{"go-verbose.txt", "", go, 6},
           Row{"go-json.txt", "", go, 6},
           Row{"go-exit.txt", "", {}, 0},
           Row{"cargo.txt", "", {"it_fails", "tests::network", "tests::total_adds"}, 5},
           Row{"cargo-first.txt", "", {}, 3},
           Row{"node-tap.txt", "", {"connects", "total adds"}, 4},
           Row{"node-spec.txt", "", {"connects", "total adds"}, 4},
           Row{"mocha.txt", "", {"alone", "cart › deep › breaks", "cart › total adds"}, 4},
           Row{"jest.txt",
               "",
               {"j/a.test.js › alone", "j/a.test.js › cart › deep › breaks",
                "j/a.test.js › cart › total adds"},
               4},
           Row{"vitest.txt",
               "",
               {"v/a.spec.mjs > alone", "v/a.spec.mjs > cart > deep > breaks",
                "v/a.spec.mjs > cart > total adds"},
               4},
           Row{"meson.txt", "", {"shop / slow", "shop / unexpected", "shop:cart / total adds"}, 5},
           Row{"ctest.txt", "", {"bad"}, 3},
       }) {
    CAPTURE(row.name);
    const TestResults results = read_test_results(recorded(row.name));
    CHECK(results.failed == row.failed);
    CHECK(results.ran == row.ran);
  }
}

TEST_CASE("test results: the number of tests of runs that pass, and of incomplete ones") {
  for (const Row& row : {
           Row{"pytest", "....s                 [100%]\n4 passed, 1 skipped in 0.02s\n", {}, 4},
           Row{"unittest", "Ran 5 tests in 0.001s\n\nOK (skipped=2)\n", {}, 3},
           Row{"go", "ok  \tp\t(cached)\n?   \tq\t[no test files]\n", {}, 0},
           Row{"go, no test runs", "ok  \tp\t0.001s [no tests to run]\n", {}, 0},
           Row{"go, a package does not compile", "FAIL\tp [build failed]\nFAIL\n", {}, 0},
           Row{"cargo", "test result: ok. 3 passed; 0 failed; 2 ignored;\n", {}, 3},
           Row{"node", "# pass 3\n# fail 0\n# cancelled 1\n", {}, 4},
           Row{"jest", "Tests:       1 skipped, 2 passed, 3 total\n", {}, 2},
           Row{"mocha", "\n  3 passing (4ms)\n  2 pending\n", {}, 3},
           Row{"TAP", "ok 1 - a\nnot ok 2 - b\n# why\nok 3 # SKIP\n1..3\n", {"b"}, 2},
           Row{"TAP, expected", "1..2\nok 1 - a\nnot ok 2 - b # TODO later\n", {}, 2},
           Row{"TAP, stopped early", "1..3\nok 1 - a\nnot ok 2 - b\n", {}, 2},
           Row{"RSpec", "5 examples, 0 failures\n", {}, 5},
           Row{"PHPUnit", "OK (5 tests, 7 assertions)\n", {}, 5},
           Row{"CTest", "100% tests passed, 0 tests failed out of 3\n", {}, 3},
       }) {
    CAPTURE(row.name);
    const TestResults results = read_test_results(row.output);
    CHECK(results.failed == row.failed);
    CHECK(results.ran == row.ran);
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
