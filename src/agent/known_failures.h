#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/checks.h"

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

/// Tests that failed before the work and have nothing to do with the task. A check that fails only
/// with these counts as passed, if the work has made another of its tests pass.
///
///     KnownFailures known(baseline, task);
///     if (known.accept(outcomes)) ...  // all pass, or fail only as before
class KnownFailures {
 public:
  KnownFailures() = default;
  /// `baseline` are the outcomes before the work. A test belongs to the task if its name shares a
  /// word with it or has no word to compare. So does a test whose output has an identifier of the
  /// task. A task about failing tests has no known failures.
  KnownFailures(const std::vector<CheckOutcome>& baseline, std::string_view task);

  /// True if fewer tests fail than before the work and all of them are known. Nothing else may
  /// differ: no signal, no new failing line, at least as many tests ran.
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
