#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/checks.h"

namespace pedro {

/// Tests that failed before the work and have nothing to do with the task. A check that fails only
/// with these counts as passed, if the work has made another of its tests pass.
///
///     KnownFailures known(baseline, task);
///     if (known.accept(outcomes)) ...  // all pass, or fail only as before
class KnownFailures {
 public:
  KnownFailures() = default;
  /// `baseline` are the outcomes before the work. A test belongs to the task if its name shares a
  /// word with it or has no word to compare, or if its output has an identifier of the task. A task
  /// about failing tests has no known failures.
  KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task);

  /// True if fewer tests fail than before the work, all of them are known, and the check differs in
  /// nothing else: no signal, no new failing line, at least as many tests ran.
  bool covers(const CheckOutcome& outcome) const;

  /// Returns the first check that fails and is not covered; null if there is none.
  const CheckOutcome* first_other(const std::vector<CheckOutcome>& outcomes) const;

  /// True if each check passes or is covered.
  bool accept(const std::vector<CheckOutcome>& outcomes) const { return !first_other(outcomes); }

 private:
  struct Known {
    CheckOutcome before;
    std::vector<std::string> tests;  // sorted
  };
  std::vector<Known> known_;
};

}  // namespace pedro
