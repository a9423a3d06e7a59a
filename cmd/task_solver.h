#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "eval/alone.h"
#include "eval/attempt_record.h"
#include "eval/task_bench.h"
#include "model_factory.h"

namespace pedro {

/// The result of work on a task.
struct TaskWork {
  std::string branch;  ///< the delivered branch; nothing was delivered if it is "" or missing
  std::string model;   ///< for AttemptHeader, like the next two
  std::string backend;
  std::string format;
};

/// Progress callbacks of a solver.
struct SolverEvents {
  std::function<void()> on_tick;                      ///< several times per second
  std::function<void(std::string_view line)> on_log;  ///< a line of the attempt's log
};

/// Solves tasks with this program's `build` command, one process per task.
class AgentSolver {
 public:
  struct Options {
    std::vector<std::string> args;  ///< for `build`, after those of every task
    long long timeout_s = 0;
  };
  AgentSolver(CommandContext& context, Options options)
      : context_(context), options_(std::move(options)) {}

  /// Solves one task and fills in the figures of the job's journal. Errors: no job started (with
  /// its message); kInterrupted.
  Result<TaskWork> solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
                         const SolverEvents& events);

 private:
  std::vector<std::string> command_of(const BenchTask& task, const TaskBench& bench) const;
  Result<bool> run(const std::vector<std::string>& argv, const TaskBench& bench,
                   TaskAttempt& attempt, const SolverEvents& events);

  CommandContext& context_;
  Options options_;
  std::string last_error_;
};

/// Requests the complete answer from the model, once.
class AloneSolver {
 public:
  /// Opens the model of `config`. Borrows the reference arguments.
  static Result<std::unique_ptr<AloneSolver>> open(CommandContext& context,
                                                   const LoadedConfig& config,
                                                   ServerConnections& connections,
                                                   long long timeout_s);

  /// Solves one task. A prompt that does not fit, an answer without a file and a timeout are
  /// outcomes. Errors: those of the model; kInterrupted.
  Result<TaskWork> solve(const BenchTask& task, TaskBench& bench, TaskAttempt& attempt,
                         const SolverEvents& events);

 private:
  AloneSolver(CommandContext& context, long long timeout_s)
      : context_(context), cancel_(context.cancel, context.clock), timeout_s_(timeout_s) {}
  Status take(const AloneModel::Answer& answer, TaskBench& bench, TaskAttempt& attempt);

  CommandContext& context_;
  CancelToken cancel_;
  long long timeout_s_;
  std::function<void()> on_tick_;
  std::unique_ptr<Model> model_;
  ModelInfo info_;
  std::optional<AloneModel> alone_;
};

}  // namespace pedro
