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

/// The verdict of the checks on a result, each in a fresh clone of its own.
struct Judgement {
  bool solved = false;            ///< the hidden check passes
  bool visible_in_clone = false;  ///< the visible check passes
  std::string log;                ///< the output of both, shortened
};

/// The world of one attempt: a scratch folder with the repository as one commit of a fixed author
/// and date, and the issue and the state of jobs outside of it. Borrows everything.
class TaskBench {
 public:
  /// The branch that the repository begins with.
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

  /// `folder` is empty. Errors: kUsage, kInterrupted.
  static Result<TaskBench> set_up(Tools tools, const BenchTask& task, std::string folder);

  std::string repository() const { return join_path(folder_, "work"); }
  std::string issue() const { return join_path(folder_, "issue.md"); }
  /// Returns the folder for XDG_STATE_HOME.
  std::string state() const { return join_path(folder_, "state"); }

  /// Writes whole files and commits them.
  Status commit(std::span<const FileAnswer> answers);

  /// Judges `branch`, or the untouched repository if there is no such branch. A result that cannot
  /// be cloned is not solved. Error: kInterrupted, or one of `run_check`.
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
