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
  std::string branch;  ///< the delivered one; "" or a missing one: nothing was delivered
  std::string model;   ///< for AttemptHeader, as are the next two
  std::string backend;
  std::string format;
};

/// Signs of life of a solver.
struct SolverEvents {
  std::function<void()> on_tick;                      ///< several times a second
  std::function<void(std::string_view line)> on_log;  ///< a line of the attempt's log
};

/// Works on tasks by the program's own `build`, as a process for each.
class AgentSolver {
 public:
  struct Options {
    std::vector<std::string> args;  ///< for `build`, behind those of every task
    long long timeout_s = 0;
  };
  AgentSolver(CommandContext& context, Options options)
      : context_(context), options_(std::move(options)) {}

  /// Fills in the figures of the job's journal. Error: no job began (with its own message), or
  /// kInterrupted.
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

/// Asks the model for the whole answer, once.
class AloneSolver {
 public:
  /// Opens the model of `config`. Borrows everything but the value.
  static Result<std::unique_ptr<AloneSolver>> open(CommandContext& context,
                                                   const LoadedConfig& config,
                                                   ServerConnections& connections,
                                                   long long timeout_s);

  /// Error: the model's, or kInterrupted. A prompt that does not fit, an answer without a file and
  /// one that takes too long are outcomes.
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
