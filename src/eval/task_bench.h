#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "agent/file_answer.h"
#include "base/cancel.h"
#include "base/result.h"
#include "eval/bench_task.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// The results of the checks, each in its own fresh clone.
struct Judgement {
  bool solved = false;            ///< the hidden check passes
  bool visible_in_clone = false;  ///< the visible check passes
  std::string log;                ///< truncated output of both checks
};

/// The environment of one attempt: a scratch folder with the repository, the issue and the state of
/// jobs. The repository has one commit with a fixed author and date. Borrows all arguments.
class TaskBench {
 public:
  /// The initial branch of the repository.
  static constexpr const char* kBranch = "main";

  /// Runs a check in a clone.
  using RunCheck =
      std::function<Result<ProcessResult>(const std::string& folder, const std::string& check)>;
  struct Tools {
    FileSystem& files;
    ProcessRunner& processes;  ///< for git and cp
    const CancelToken& cancel;
    RunCheck run_check;
  };

  /// Creates the environment in `folder`, which must be empty. Errors: kUsage, kInterrupted.
  static Result<TaskBench> set_up(Tools tools, const BenchTask& task, std::string folder);

  std::string repository() const { return join_path(folder_, "work"); }
  std::string issue() const { return join_path(folder_, "issue.md"); }
  /// Returns the folder for XDG_STATE_HOME.
  std::string state() const { return join_path(folder_, "state"); }

  /// Writes complete files and commits them.
  Status commit(std::span<const FileAnswer> answers);

  /// Judges `branch`, or the unchanged repository if the branch does not exist. A result that
  /// cannot be cloned is not solved. Errors: kInterrupted, and those of `run_check`.
  Result<Judgement> judge(const std::string& branch);

 private:
  TaskBench(Tools tools, const BenchTask& task, std::string folder)
      : tools_(std::move(tools)), task_(&task), folder_(std::move(folder)) {}

  Result<ProcessResult> git(const std::string& folder, std::vector<std::string> arguments) const;
  Status must(const Result<ProcessResult>& result, std::string_view what) const;
  Status commit_all(const std::string& message) const;
  Result<ProcessResult> copy(const std::string& from, const std::string& to) const;
  Result<bool> passes(const std::string& branch, bool hidden, std::string& log) const;

  Tools tools_;
  const BenchTask* task_;
  std::string folder_;
};

}  // namespace pedro
