#pragma once

#include <future>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/known_failures.h"
#include "agent/run_observer.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "git/repository.h"
#include "job/answer_log.h"
#include "secrets/secret_mask.h"
#include "tools/checks.h"

namespace pedro {

/// Seconds of computing without input or output that mean an endless loop, in a check before the
/// work. The loop is the fault, or a part of it.
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

/// The work tree and the outcomes of its checks. Checks run again only after a change. Borrows all
/// references; one thread.
class CheckedTree {
 public:
  /// `commands` runs the checks, each for at most `timeout_s` seconds. `secrets` masks their
  /// output; it may be null. Logs the outcomes in `answers`. A check that `job` stopped has no
  /// outcome: kInterrupted. `task` is the task's text, for known_failures().
  CheckedTree(const Repository& repository, const WorkTree& tree, ProcessRunner& commands,
              std::vector<Check> checks, std::string base, double timeout_s, const CancelToken& job,
              const SecretMask* secrets, RunObserver& observer, AnswerLog& answers,
              std::string task = "")
      : repository_(repository),
        tree_(tree),
        commands_(commands),
        checks_(std::move(checks)),
        base_(std::move(base)),
        timeout_s_(timeout_s),
        job_(job),
        secrets_(secrets),
        observer_(observer),
        answers_(answers),
        task_(std::move(task)) {}

  /// Takes the outcomes of a run on the untouched tree, in place of the first run. Runs the checks
  /// again if the tree has changed since.
  void use(Baseline ahead) { ahead_ = std::move(ahead); }

  /// Begins the work on a later message: all checks run again. The baseline stays that of the job.
  void take_up(const std::string& message);

  /// The checks. After the first run, only those that test something.
  const std::vector<Check>& checks() const { return checks_; }
  const WorkTree& tree() const { return tree_; }

  /// Returns a text that changes with the files.
  Result<std::string> fingerprint();

  /// Limits each later check to `seconds` if that is below its own limit. 0 removes the limit.
  void limit_checks(double seconds) { limit_s_ = seconds; }

  /// Runs one more command as a check. Does not store its outcome.
  Result<CheckOutcome> try_check(const Check& check);

  /// Removes the check with this command.
  void remove_check(const std::string& command) {
    std::erase_if(checks_, [&](const Check& check) { return check.command == command; });
  }

  /// Adds a check before all others, unless there is one with the same command.
  void add_check(Check check);

  /// The outcomes of the baseline run, before the work. Empty until then.
  const std::vector<CheckOutcome>& baseline() const { return baseline_; }

  /// The failures of the baseline run that do not count against the work.
  const KnownFailures& known_failures() const { return known_failures_; }

  /// Files that checks created. They belong to neither the job nor the user.
  const std::set<std::string>& made_by_checks() const { return made_; }

  /// Returns the outcomes of all checks on the current tree.
  ///
  /// The first call selects among candidates. The next candidate replaces a check that tests
  /// nothing; a guess without a successor is removed. If checks change files, all run a second
  /// time, but not a third. `activity` increases with each action in the tree. A failure is cached
  /// only while `activity` is the same, since it may depend on files that git ignores.
  Result<std::vector<CheckOutcome>> outcomes(int activity);

 private:
  bool current(const std::string& fingerprint, int activity) const;
  Result<std::vector<CheckOutcome>> run_all();
  void keep_baseline();
  Result<CheckOutcome> settle(Check& check);
  Result<CheckOutcome> run(const Check& check);
  Result<CheckOutcome> run_now(const Check& check);
  double spin_limit() const;
  Result<std::set<std::string>> new_files();

  const Repository& repository_;
  const WorkTree& tree_;
  ProcessRunner& commands_;
  std::vector<Check> checks_;
  std::string base_;
  double timeout_s_;
  double limit_s_ = 0;       // see limit_checks()
  bool is_settled_ = false;  // checks_ are final
  const CancelToken& job_;
  const SecretMask* secrets_;
  RunObserver& observer_;
  AnswerLog& answers_;
  std::string task_;
  std::optional<Baseline> ahead_;  // until the first run
  std::set<std::string> made_;
  std::string checked_fingerprint_;
  int checked_activity_ = 0;
  std::vector<CheckOutcome> outcomes_;
  std::vector<CheckOutcome> baseline_;
  KnownFailures known_failures_;
};

}  // namespace pedro
