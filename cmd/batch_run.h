#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "batch_file.h"
#include "command.h"
#include "job/batch_state.h"
#include "job/job_store.h"
#include "sys/child_program.h"

namespace pedro {

/// What became of a task of a batch, in this run or an earlier one.
struct TaskOutcome {
  const BatchTask* task = nullptr;
  bool run = false;    ///< it was run now
  bool known = false;  ///< `record` says how it ended
  TaskRecord record = {};
};

/// Runs tasks as processes of this program, several at once, and notes what becomes of each. Those
/// that were settled by an earlier run are passed over; a job that was stopped is gone on with, or
/// where that cannot be, its task is run anew. One that fails stops no other. When
/// `context` is cancelled no further task is begun, and those at work are asked to end, which they
/// do as after a Ctrl-C of their own; so they do when this process is killed. Borrows everything;
/// for the main thread.
class BatchRun {
 public:
  BatchRun(CommandContext& context, const std::vector<BatchTask>& tasks, BatchState& state,
           std::size_t max_at_once)
      : context_(context), tasks_(tasks), state_(state), max_at_once_(max_at_once) {}

  /// What became of each task, in their order. Error: the state cannot be written any more; what
  /// was at work has ended.
  Result<std::vector<TaskOutcome>> run();

 private:
  struct Running {
    std::size_t index = 0;
    bool goes_on = false;  // with a job that was stopped
    TaskRecord record;
    long long began_ms = 0;
    std::string last_error;
    std::unique_ptr<ChildProgram> program;
  };

  void take_over(std::size_t index, const TaskRecord& record);
  void wait_for_earlier(const TaskRecord& record);
  Result<JobSummary> wait_for_resumed(const JobStore& store, const TaskRecord& record);
  void start(std::size_t index);
  void hear(Running& running, StandardStream stream, std::string_view line);
  void collect();
  void finish(Running& running);
  void end_all();
  void note(const TaskRecord& record);
  void tell(const TaskRecord& record, const std::string& what) const;
  bool can_go_on(const std::string& job) const;
  std::vector<std::string> command_of(const BatchTask& task, const std::string& job) const;

  CommandContext& context_;
  const std::vector<BatchTask>& tasks_;
  BatchState& state_;
  std::size_t max_at_once_;
  std::vector<TaskOutcome> outcomes_;
  std::deque<std::size_t> waiting_;  // of the tasks
  std::vector<std::unique_ptr<Running>> running_;
  Status noted_;            // the first time that the state could not be written
  long long asked_ms_ = 0;  // when they were asked to end; 0: they were not
};

}  // namespace pedro
