#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/checked_tree.h"
#include "agent/executor.h"
#include "agent/task_files.h"
#include "base/result.h"

namespace pedro {

/// The complete text of each file, by path.
using FileTexts = std::map<std::string, std::string>;

/// Changed files and the outcomes of the checks on them.
struct CheckedChanges {
  FileTexts changes;       ///< relative to the files before the work
  std::string output;      ///< of the failing checks
  std::size_t passed = 0;  ///< number of passing checks
  std::string failures;    ///< `output` for the prompt; "" if all checks pass
};

/// The time limit of an answer's checks, in seconds.
struct CheckLimit {
  double factor = 10;         ///< multiple of the longest completed check
  double least_s = 5;         ///< lower bound
  double first_least_s = 20;  ///< lower bound until three answers were checked
};

/// Writes each answer to the files, runs the checks, and restores the files unless all pass, apart
/// from known failures. Remembers the answer with the fewest failures. Borrows all references; one
/// thread. Errors: kInterrupted, or of the disk.
///
///     Status begun = judge.begin(files);
///     Result<bool> passes = judge.judge({{"cart.py", text}});
class AnswerJudge {
 public:
  AnswerJudge(Executor& executor, const ExecutorParts& parts, CheckedTree& tree)
      : executor_(executor), parts_(parts), tree_(tree) {}

  /// Stores the files and runs the checks on them. Must be called once, before judge().
  Status begin(std::vector<TaskFile> files);

  const std::vector<TaskFile>& files() const { return files_; }
  const CheckedChanges& unchanged() const { return unchanged_; }
  /// Returns the best changes so far: most passing checks first, then FailingLines::improves().
  /// Returns unchanged() if none is better.
  const CheckedChanges& best() const { return best_; }

  /// Returns true if all checks pass, apart from known failures; the files then stay changed.
  /// Returns false without a check for changes that were judged before, that change nothing, or
  /// that the policy refuses.
  Result<bool> judge(FileTexts changes, const CheckLimit& limit = {});

  /// Returns the changes that judge() accepted last.
  const FileTexts& accepted() const { return accepted_; }

  /// Returns the total time of all checks of answers, in seconds.
  double checked_s() const { return checked_s_; }

 private:
  FileTexts without_unchanged(FileTexts changes) const;
  CheckedChanges checked(FileTexts changes, const std::vector<CheckOutcome>& outcomes) const;
  Result<std::vector<CheckOutcome>> run_checks(const CheckLimit& limit);
  Result<bool> write(const FileTexts& changes);
  Status restore(const FileTexts& changes);
  Status take_back(const FileTexts& changes);

  Executor& executor_;
  ExecutorParts parts_;
  CheckedTree& tree_;
  std::vector<TaskFile> files_;  // before the work
  CheckedChanges unchanged_;
  CheckedChanges best_;
  FileTexts accepted_;
  std::set<std::string> judged_;  // keys of judged changes, see key_of()
  int completed_ = 0;             // completed check runs of answers
  double longest_s_ = 0;          // of a check, without a stall at its end
  double checked_s_ = 0;
};

}  // namespace pedro
