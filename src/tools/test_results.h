#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The results of single tests in the output of a check.
///
///     read_test_results("FAILED test_cart.py::test_total - assert 9 == 10\n1 failed, 4 passed");
///     // {{"test_cart.py::test_total"}, true}
struct TestResults {
  std::vector<std::string> failed;  ///< names, sorted, without repetitions
  bool any_passed = false;          ///< at least one test passed
};

/// Reads the outputs of pytest, unittest, CTest, Meson, Go, Cargo, TAP, Mocha, Jest, Surefire,
/// Gradle and RSpec. Returns no names for other outputs, or if more than 2,000 tests failed. A name
/// has at most 200 bytes.
TestResults read_test_results(std::string_view output);

}  // namespace pedro
