#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pedro {

/// Test files in which some tests expect other values. Honest sources fail them.
struct OtherExpectations {
  std::map<std::string, std::string> texts;  ///< changed files by path
  std::set<std::string> tests;               ///< names of the changed tests, as in `failed`
};

/// Changes the expected values of the tests in `failed`, names as in TestResults. These are
/// literals that an assertion in the outer block of a test compares for equality.
///
///     self.assertEqual(total([1, 2]), 3)   // 2
///     expect(name()).toBe("Ada");          // "Ada~"
///     if got := sum(1, 2); got != 3 {      // 2, if the next line reports an error
///
/// Supports the common assertions of Python, JavaScript, TypeScript, Go, Rust and C++. Leaves out
/// tests whose function or title is not unique in `texts`. O(bytes).
OtherExpectations other_expectations(const std::map<std::string, std::string>& texts,
                                     const std::vector<std::string>& failed);

}  // namespace pedro
