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

/// The result of a task of a batch, in this run or an earlier one.
struct TaskOutcome {
  const BatchTask* task = nullptr;
  bool run = false;    ///< executed in this run
  bool known = false;  ///< `record` contains the end of the task
  TaskRecord record = {};
};

/// Runs tasks as child processes of this program, several at once, and records their results. Skips
/// tasks that an earlier run settled. Resumes a stopped job, or runs its task again if that is
/// impossible. A failure does not stop other tasks. After a cancellation of `context`, starts no
/// task and asks running ones to end, as after Ctrl-C. They also end if this process is killed.
/// Borrows everything. Only for the main thread.
class BatchRun {
 public:
  BatchRun(CommandContext& context, const std::vector<BatchTask>& tasks, BatchState& state,
           std::size_t max_at_once)
      : context_(context), tasks_(tasks), state_(state), max_at_once_(max_at_once) {}

  /// Returns the result of each task, in order. Error: the state cannot be written; all child
  /// processes have ended.
  Result<std::vector<TaskOutcome>> run();

 private:
  struct Running {
    std::size_t index = 0;
    bool goes_on = false;  // resumes a stopped job
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
  std::deque<std::size_t> waiting_;  // indices of tasks
  std::vector<std::unique_ptr<Running>> running_;
  Status noted_;            // the first failure to write the state
  long long asked_ms_ = 0;  // time of the request to end; 0: not requested
};

}  // namespace pedro
