#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/checks.h"

namespace pedro {

/// Tests that failed before the work and have nothing to do with the task. A check that fails only
/// with these does not count against the work.
///
///     KnownFailures known(baseline, task);
///     if (known.accept(outcomes)) ...  // all pass, or fail only as before
class KnownFailures {
 public:
  KnownFailures() = default;
  /// `baseline` are the outcomes before the work. A test belongs to the task if both share a word,
  /// or if its name has no word to compare.
  KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task);

  /// True if the check fails only with known failures, and at least one of its tests passes.
  bool covers(const CheckOutcome& outcome) const;

  /// Returns the first check that fails and is not covered; null if there is none.
  const CheckOutcome* first_other(const std::vector<CheckOutcome>& outcomes) const;

  /// True if each check passes or is covered.
  bool accept(const std::vector<CheckOutcome>& outcomes) const { return !first_other(outcomes); }

 private:
  std::map<std::string, std::vector<std::string>> tests_;  // by command; sorted
};

}  // namespace pedro
