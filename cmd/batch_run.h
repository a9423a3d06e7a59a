#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "batch_file.h"
#include "batch_run.h"
#include "command.h"
#include "job/batch_lease.h"
#include "job/batch_state.h"
#include "job/job_store.h"
#include "llm/server_pool.h"
#include "sys/child_program.h"

namespace pedro {

/// The result of a task of a batch, in this run or an earlier one.
struct TaskOutcome {
  const BatchTask* task = nullptr;
  bool run = false;    ///< executed in this run
  bool known = false;  ///< `record` contains the end of the task
  TaskRecord record = {};
};

/// The limits of a batch.
struct BatchLimits {
  std::size_t max_at_once = 1;
  long long grace_ms = 60'000;  ///< for jobs to commit their work after a signal, then SIGKILL
};

/// Runs tasks as child processes of this program, several at once, and records their results. Skips
/// tasks that an earlier run settled. Resumes a stopped job, or runs its task again if that is
/// impossible. A job stays on its server, and moves only if that does not answer. If a server ends,
/// its jobs continue when it or another one answers. A failure does not stop other tasks. After a
/// cancellation of `context`, starts no task and asks running ones to end, as after Ctrl-C. They
/// also end if this process is killed. Borrows everything. Only for the main thread.
class BatchRun {
 public:
  BatchRun(CommandContext& context, const std::vector<BatchTask>& tasks, BatchState& state,
           BatchLease& lease, ServerPool& servers, BatchLimits limits)
      : context_(context),
        tasks_(tasks),
        state_(state),
        lease_(lease),
        servers_(servers),
        waiting_(servers),
        limits_(limits),
        host_(host_name()) {}

  /// Returns the result of each task, in order. Errors: the state cannot be written, or another
  /// host has taken it; all child processes have ended.
  Result<std::vector<TaskOutcome>> run();

 private:
  struct Running {
    std::size_t index = 0;
    std::size_t server = 0;  // in the pool
    bool goes_on = false;    // resumes a stopped job
    TaskRecord record;
    long long began_ms = 0;
    std::string last_error;
    std::unique_ptr<ChildProgram> program;
  };

  void take_over(std::size_t index, const TaskRecord& record);
  void wait_for_earlier(const TaskRecord& record);
  Result<JobSummary> wait_for_resumed(const JobStore& store, const TaskRecord& record);
  void check_lease();
  void start_waiting();
  WaitingJob waiting(std::size_t index) const;
  void start(std::size_t index, std::size_t server);
  void give_up(std::size_t index);
  void hear(Running& running, StandardStream stream, std::string_view line);
  void collect();
  bool goes_back(Running& running, int code);
  void finish(Running& running);
  void end_all();
  void note(const TaskRecord& record);
  void tell(const TaskRecord& record, const std::string& what) const;
  bool can_go_on(const std::string& job) const;
  std::vector<std::string> command_of(const BatchTask& task, const Running& running) const;

  CommandContext& context_;
  const std::vector<BatchTask>& tasks_;
  BatchState& state_;
  BatchLease& lease_;
  ServerPool& servers_;
  JobQueue waiting_;
  BatchLimits limits_;
  std::string host_;
  std::vector<TaskOutcome> outcomes_;
  std::vector<int> returns_;  // of each task to `waiting_`, after a failure of its server
  std::vector<std::unique_ptr<Running>> running_;
  Status noted_;  // the first failure to write the state
  bool lease_lost_ = false;
  long long asked_ms_ = 0;  // time of the request to end; 0: not requested
};

/// The results of a batch in four forms. Texts of jobs are made printable by TaskRecord's reader.
struct BatchReport {
  std::string name;                   ///< of the batch file
  std::string state;                  ///< path of the state, for a reader
  std::vector<TaskOutcome> outcomes;  ///< in order of the lines

  std::size_t succeeded() const;
  std::size_t not_run() const;
  /// Returns the number of tasks that ended without success.
  std::size_t failed() const { return outcomes.size() - succeeded() - not_run(); }
};

/// Formats a table for a terminal, with totals below it.
std::string to_table(const BatchReport& report);

/// Formats a JSON line `batch.task` per task, and `batch.completed` with the totals.
std::string to_json_lines(const BatchReport& report);

/// Formats JUnit XML (https://github.com/testmoapp/junitxml), a testcase per task. A task that a
/// further run of the batch would continue is an `error`, any other without success a `failure`.
std::string to_junit(const BatchReport& report);

/// Renders a page for a browser, see html_page().
std::string to_page(const BatchReport& report);

}  // namespace pedro
