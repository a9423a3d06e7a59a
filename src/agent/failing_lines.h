#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace pedro {

/// The failures in the output of a check, for comparison with another run.
///
///     FailingLines before(output_before), after(output_after);
///     after.improves(before);  // true: two tests failed before, and one of them still does
class FailingLines {
 public:
  /// Reads at most 2,000 lines of the output.
  explicit FailingLines(std::string_view output);

  /// Returns true if `before` has all of these failures and more. Also returns true if a test that
  /// stops at its first failure now stops at a later line. Ignores numbers, so that a moved line
  /// counts as the same failure.
  bool improves(const FailingLines& before) const;

  /// Returns true if `before` lacks some of these failures. Ignores numbers.
  bool adds_to(const FailingLines& before) const;

 private:
  std::map<std::string, int> counts_;  // failing lines without digits
  int total_ = 0;
  std::set<std::pair<std::string, long long>> test_places_;
};

}  // namespace pedro
