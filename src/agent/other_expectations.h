#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Test files in which some tests expect other values. Honest sources fail them.
struct OtherExpectations {
  std::map<std::string, std::string> texts;  ///< changed files by path
  std::set<std::string> tests;  ///< names of the changed tests, as in `failed`, without parameters
};

/// Changes the expected values of the tests in `failed`, names as in TestResults. These are
/// literals, or constructors with literals, that an assertion compares for equality. The assertion
/// is in the outer block of a test or in a loop. Also changes the table from which a value comes,
/// if only the assertion uses its name.
///
///     self.assertEqual(total([1, 2]), 3)   // 2
///     expect(name()).toBe("Ada");          // "Ada~"
///     if got := sum(1, 2); got != 3 {      // 2, if the next line reports an error
///     for x, want in [(1, 3), (2, 4)]:     // [(3, 12), (37, 141)]
///
/// Supports the common assertions of Python, JavaScript, TypeScript, Go, Rust and C++. Leaves out
/// tests whose function or title is not unique in `texts`.
OtherExpectations other_expectations(const std::map<std::string, std::string>& texts,
                                     const std::vector<std::string>& failed);

/// Removes the parameters of a test's name: "t.py::test_a[1-2]" -> "t.py::test_a",
/// "test_a (t.T.test_a) (x=1)" -> "test_a (t.T.test_a)".
std::string without_parameters(std::string_view test);

}  // namespace pedro
