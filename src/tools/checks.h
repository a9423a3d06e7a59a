#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "secrets/secret_mask.h"
#include "sys/process.h"
#include "sys/work_tree.h"
#include "tools/test_results.h"

namespace pedro {

/// A command that verifies the project. All checks run, in order.
struct Check {
  std::string name;                 ///< "test", "build"
  std::string command;              ///< one line for `sh -c`, run in the root of the work tree
  std::string source;               ///< origin: "-test-cmd", ".pedrocli.json:7", "CMakeLists.txt"
  std::vector<Check> instead = {};  ///< further candidates, if a run of this one tests nothing
  bool is_guess = false;  ///< found by detect_checks(); dropped if all candidates test nothing
};

/// Returns the check for display and records, with secrets in its command masked. `secrets` may be
/// null.
Check shown_check(Check check, const SecretMask* secrets);

/// Returns a check that runs the repository's pre-commit hook, with the whole work tree staged in a
/// temporary index. Passes without a hook. Requires git 2.36.
Check pre_commit_check();

struct CheckOutcome {
  Check check;
  bool passed = false;
  int exit_code = 0;
  bool timed_out = false;
  double duration_s = 0;
  double stalled_s = 0;     ///< the part of `duration_s` for which it did nothing or only computed
  std::string output = {};  ///< of the failed check: the failing part, see failing_part()
  std::vector<std::string> notes = {};  ///< see ProcessResult::notes
  std::string tests_nothing = {};       ///< the reason, see tests_nothing(); "" for a check
  TestResults tests = {};               ///< as far as its runner prints them
};

/// Masks the secrets in the texts of an outcome. `secrets` may be null.
CheckOutcome masked_outcome(CheckOutcome outcome, const SecretMask* secrets);

/// Returns the outcome of a check that cannot be started: exit code 127, with the reason.
CheckOutcome cannot_start(const Check& check, const std::string& reason);

/// Limits of one check, in seconds.
struct CheckLimits {
  double timeout_s = 900;
  double spin_s = 0;  ///< see Command::spin_timeout_s
};

/// Error: kInterrupted only; what cannot be started has failed with 127.
Result<CheckOutcome> run_check(const Check& check, const WorkTree& tree, ProcessRunner& processes,
                               const CheckLimits& limits, const CancelToken& cancel);

/// Returns the next candidate, to replace a check that tests nothing.
std::optional<Check> next_candidate(const Check& check);

/// Formats a run before the work: "`make test` (from Makefile): fails, exit 2".
std::string baseline_text(const CheckOutcome& outcome);

bool all_passed(const std::vector<CheckOutcome>& outcomes);

}  // namespace pedro
