#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/repository.h"
#include "agent/run_observer.h"
#include "base/secret_mask.h"
#include "job/answer_log.h"
#include "tools/checks.h"

namespace pedro {

/// The work tree and what its checks said of it: they are run again only when something has changed
/// since. Borrows everything.
class CheckedTree {
 public:
  /// `commands` runs the checks, each for at most `timeout_s`; what they print is masked by
  /// `secrets`, if that is not null. What is found out is in `answers`; a check that `job` stopped,
  /// be it because its time is over, has found out nothing: kInterrupted.
  CheckedTree(const Repository& repository, const WorkTree& tree, ProcessRunner& commands,
              std::vector<Check> checks, std::string base, double timeout_s, const CancelToken& job,
              const SecretMask* secrets, RunObserver& observer, AnswerLog& answers)
      : repository_(repository),
        tree_(tree),
        commands_(commands),
        checks_(std::move(checks)),
        base_(std::move(base)),
        timeout_s_(timeout_s),
        job_(job),
        secrets_(secrets),
        observer_(observer),
        answers_(answers) {}

  /// The checks. After the first run, those whose run tests something.
  const std::vector<Check>& checks() const { return checks_; }
  const WorkTree& tree() const { return tree_; }

  /// The same text as long as no file differs from what it was.
  Result<std::string> fingerprint();

  /// Stops each check after `seconds` from now on, if that is less than its own limit; 0: no
  /// longer.
  void limit_checks(double seconds) { limit_s_ = seconds; }

  /// Runs one more command as a check; nothing is kept of it.
  Result<CheckOutcome> try_check(const Check& check);

  /// From now on this one belongs to the checks, and comes first; one with the same command is not
  /// run twice.
  void add_check(Check check);

  /// Files that were not there before a check and were after it: nobody's work.
  const std::set<std::string>& made_by_checks() const { return made_; }

  /// Returns the outcomes of all checks on the tree as it is now. The first call settles on the
  /// candidates: it replaces a check that tests nothing by the next one, and drops a guess if none
  /// is left. Where they change files they are run a second time on what they left, but not a
  /// third. `activity` is a number that grows with what is done in the tree: a failure is taken for
  /// current only while it stays, for it may lie in files that git does not look at.
  Result<std::vector<CheckOutcome>> outcomes(int activity);

 private:
  bool current(const std::string& fingerprint, int activity) const;
  Result<std::vector<CheckOutcome>> run_all();
  Result<CheckOutcome> settle(Check& check);
  Result<CheckOutcome> run(const Check& check);
  Result<std::set<std::string>> new_files();
  Result<std::set<std::string>> new_files_now() const;

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
  std::set<std::string> made_;
  std::string checked_fingerprint_;
  int checked_activity_ = 0;
  std::vector<CheckOutcome> outcomes_;
};

}  // namespace pedro
