#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The results of single tests, as a test runner printed them.
///
///     read_test_results("FAILED test_cart.py::test_total - assert 9 == 10\n1 failed, 4 passed in
///     1s");
///     // {{"test_cart.py::test_total"}, 4}
struct TestResults {
  std::vector<std::string> failed;  ///< names, sorted; empty if they are not known for certain
  long long passed = 0;             ///< number of tests
};

/// Reads the output of pytest, unittest and CTest. Returns no names for other outputs, for a run
/// that stopped early, and if the runner counts other failures than it names. At most 2,000 names.
TestResults read_test_results(std::string_view output);

}  // namespace pedro
