#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The results of single tests, as a test runner printed them.
///
///     read_test_results("FAILED test_cart.py::test_total - assert 9 == 10\n1 failed, 4 passed in
///     1s");
///     // {{"test_cart.py::test_total"}, 5, 1}
struct TestResults {
  std::vector<std::string> failed;  ///< names, sorted; empty if they are not known for certain
  /// Number of tests that ran, without skipped ones. 0: none, or unknown, as for Go without -v.
  long long ran = 0;
  long long failures = 0;  ///< as the runner counts them; 0: none, or unknown
};

/// Reads the output of pytest, unittest, CTest, Meson, Go, Cargo, node --test, Jest, Vitest, Mocha
/// and TAP. Reads only the number for RSpec and PHPUnit. Returns no names for other outputs and for
/// runs that stopped early. Also returns none if the runner counts other failures than it names. At
/// most 2,000 names.
TestResults read_test_results(std::string_view output);

/// Returns the reason why a check's run tested nothing: a missing program or test runner module, or
/// no tests. "" for a real check, passed or failed.
///
///     tests_nothing("pytest -q", "collected 0 items", 5)  // "collected 0 items"
std::string tests_nothing(std::string_view command, std::string_view output, int exit_code);

}  // namespace pedro
