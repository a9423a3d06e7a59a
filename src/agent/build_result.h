#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/known_failures.h"
#include "agent/workflow_run.h"
#include "git/delivery.h"
#include "tools/checks.h"

namespace pedro {

/// The end of a build.
enum class BuildEnd {
  kVerified,        ///< the checks pass, in a clean checkout of the commit too (KnownFailures)
  kNotVerified,     ///< checks still fail, or there are none
  kLimit,           ///< rounds or time exhausted, or the model repeats itself
  kNothingChanged,  ///< all phases ended without changing a file
  kNotReproduced,   ///< the fault could not be reproduced
  kBlocked,         ///< the model reported that the task is impossible
};
/// "done", "not_verified", "limit", "nothing_changed", "not_reproduced" or "blocked".
std::string_view to_string(BuildEnd end);

/// The result of a build, for its report and its exit code.
struct BuildResult {
  BuildEnd end = BuildEnd::kVerified;
  std::string reason;                  ///< one sentence unless the end is kVerified
  std::string message;                 ///< the user's last later message; "": none
  Delivery delivery;                   ///< nothing_changed if there is no commit
  std::vector<CheckOutcome> baseline;  ///< the checks before the work
  KnownFailures known_failures;        ///< of the baseline
  std::vector<CheckOutcome> checks;    ///< the last run in the work tree
  PhaseOutputs outputs;
  /// The failed run before the work of the command that reproduced the fault. The command is one of
  /// the checks.
  std::optional<CheckOutcome> reproduction;
  std::vector<CheckOutcome> replaced_reproductions;  ///< earlier ones, as they failed
  std::vector<std::string> claim_findings;           ///< of kBlocked, see check_blocked_claim()
  std::vector<std::string> changed_evidence;         ///< files it ran that have changed since
  std::vector<std::string> undelivered;      ///< files written by tools but missing in the commit
  std::vector<std::string> removed_ignored;  ///< see Repository; no undo restores them
  std::vector<std::string> copied_ignored;   ///< the same, but an undo restores them
  std::vector<std::string> moved_branches;   ///< see WorkBranch
  std::set<std::string> earlier_files;       ///< in the job's commits before the last message
  int tries = 0;                             ///< answers of the model, see Solver
  /// The checks in a clean checkout of the commit. Empty if no checkout was made.
  std::vector<CheckOutcome> clean_checks;
  std::set<std::string> check_files;  ///< changed files that are tests or define the checks
  /// The checks in a clean checkout with the base's version of `check_files`. Empty if not run.
  std::vector<CheckOutcome> base_checks;
  /// The checks on the base's sources with the job's `check_files`. Empty if the baseline failed.
  std::vector<CheckOutcome> tests_on_base;
};

}  // namespace pedro
