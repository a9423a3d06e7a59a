#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checked_tree.h"
#include "agent/executor.h"
#include "base/json.h"
#include "git/repository.h"

namespace pedro {

/// A snapshot of the files with which a fault was reproduced. The reproduction is void after they
/// change. For a new file, the whole content counts. For a file of the base, only the added lines
/// count, since the fault may be in the same file.
class FaultEvidence {
 public:
  FaultEvidence() = default;

  /// Collects the files that differ from `base`. Skips files that already differed `before`,
  /// generated and built files, and the paths in `without`. `written` are paths relative to the
  /// root that tools wrote, since git ignores some files. Errors: git's.
  static Result<FaultEvidence> take(const Repository& repository, const std::string& base,
                                    const std::vector<ChangedFile>& before,
                                    const std::set<std::string>& without,
                                    const std::set<std::string>& written);

  /// Removes the files that the command itself wrote. Call it after a run of the command.
  void leave_out_written(const Repository& repository);

  /// Returns the paths of files that have changed since take(), sorted.
  std::vector<std::string> changed(const Repository& repository) const;

  Json json() const;
  static FaultEvidence from(const Json& json);

 private:
  struct File {
    std::string path;
    std::uint64_t content = 0;           // see FileContent; unused if `lines` is set
    std::multiset<std::uint64_t> lines;  // hashes of the added lines
    long long modified_ns = 0;
  };
  std::vector<File> files_;
};

/// A command that fails because of the fault, and the files it ran with. It later becomes one of
/// the checks. Logs its findings for a resumed job. Borrows all references; one thread. Errors:
/// kInterrupted, or git's.
///
///     Result<std::optional<std::string>> refusal = reproduction.check(output);  // of the phase
///     Result<std::vector<std::string>> changed = reproduction.changed_files();
class Reproduction {
 public:
  /// `before` is the difference from `base` at the start of the job.
  Reproduction(const Repository& repository, CheckedTree& tree, Executor& executor,
               const ExecutorParts& parts, const std::string& base,
               const std::vector<ChangedFile>& before)
      : repository_(repository),
        tree_(tree),
        executor_(executor),
        parts_(parts),
        base_(base),
        before_(before) {}

  /// Runs the command of a phase's output. Returns a refusal for the model if it shows no fault.
  /// `takes_tried`: the phase has an output for attempts, and needs it if the fault is not shown.
  Result<std::optional<std::string>> check(const Json& output, bool takes_tried);

  /// Runs a check on the base with these changed tests.
  using RunOnBase =
      std::function<Result<CheckOutcome>(const Check& check, const std::set<std::string>& tests)>;
  /// Replaces the command by another one that fails on the base and passes now. Returns a refusal
  /// for the model otherwise.
  Result<std::optional<std::string>> replace(const std::string& command, const RunOnBase& run);

  /// Uses a check that fails before the work if `task` names it. Returns the output of the phase,
  /// or nullopt if there is no such check.
  Result<std::optional<Json>> from_checks(const std::string& task);

  /// Uses an outcome without files.
  void use(CheckOutcome outcome) { outcome_ = std::move(outcome); }

  /// Returns the failed run, if there is one.
  const std::optional<CheckOutcome>& outcome() const { return outcome_; }

  /// Returns the failed runs of the commands that replace() replaced.
  const std::vector<CheckOutcome>& replaced() const { return replaced_; }

  /// Returns the sorted paths of its files that have changed since the failed run.
  Result<std::vector<std::string>> changed_files();
  /// Returns a refusal for the model if changed_files() is not empty.
  Result<std::optional<std::string>> refuse_changes();

  /// The Check::source of the command.
  static constexpr const char* kSource = "the reproduction";

 private:
  Result<std::optional<std::string>> denied_by_policy(const std::string& line);
  Result<bool> cannot_be_read(const std::string& line);
  Result<std::optional<std::string>> refuse_run(const CheckOutcome& outcome);
  Result<CheckOutcome> on_base(const Check& check, const RunOnBase& run);
  Result<std::set<std::string>> changed_paths() const;
  Result<FaultEvidence> take_evidence(const std::set<std::string>& without) const;
  Status keep_evidence(FaultEvidence evidence);

  const Repository& repository_;
  CheckedTree& tree_;
  Executor& executor_;
  const ExecutorParts& parts_;
  const std::string& base_;
  const std::vector<ChangedFile>& before_;
  std::optional<CheckOutcome> outcome_;
  std::vector<CheckOutcome> replaced_;
  FaultEvidence evidence_;
};

}  // namespace pedro
