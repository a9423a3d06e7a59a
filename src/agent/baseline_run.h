#pragma once

#include <future>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "git/repository.h"
#include "tools/checks.h"

namespace pedro {

/// A check before the work that computes for this long without input or output, in seconds, is in
/// an endless loop: the fault, or a part of it.
inline constexpr double kBaselineSpinSeconds = 60;

/// The checks of the untouched tree, run before the job's first event.
struct Baseline {
  std::string fingerprint;             ///< of the tree before the run
  std::set<std::string> new_files;     ///< untracked files before the run
  std::set<std::string> made;          ///< untracked files that the run created
  std::vector<CheckOutcome> outcomes;  ///< not masked; ends with the first that tests nothing
};

/// Returns the untracked files of the work tree, except ignored ones.
Result<std::set<std::string>> untracked_files(const Repository& repository,
                                              const std::string& base);

/// Runs a job's checks in its own thread, while the job's thread opens the model. Between begin()
/// and end(), the job's thread must not start processes or change the repository.
///
///     BaselineRun run(repository, base, cancel, clock);
///     PEDRO_RETURN_IF_ERROR(run.begin(checks, tree, commands, timeout_s));
///     ... open the model ...
///     PEDRO_TRY(Baseline baseline, run.end(job_cancel));
class BaselineRun {
 public:
  /// Borrows all arguments. `base` is the job's first commit.
  BaselineRun(const Repository& repository, const std::string& base, const CancelToken& cancel,
              const Clock& clock)
      : repository_(repository), base_(base), stop_(cancel, clock) {}
  BaselineRun(const BaselineRun&) = delete;
  BaselineRun& operator=(const BaselineRun&) = delete;
  ~BaselineRun() { stop(); }

  /// Records the state of the tree, then starts the thread. Borrows `tree` and `commands`. Errors:
  /// those of Repository.
  Status begin(std::vector<Check> checks, const WorkTree& tree, ProcessRunner& commands,
               double timeout_s);

  /// Stops a check that still runs, and waits for its end.
  void stop();

  /// Waits at most `seconds` for the last check. Returns true if the run has ended.
  bool wait(double seconds);

  /// Waits for the run, or stops it if `job` is cancelled: then the last outcomes are missing.
  /// Requires begin(). Errors: those of Repository.
  Result<Baseline> end(const CancelToken& job);

 private:
  Status made_files();

  const Repository& repository_;
  const std::string& base_;
  CancelToken stop_;
  Baseline baseline_;
  std::future<Status> made_;  // the result of made_files(), at the end of the thread
};

}  // namespace pedro
