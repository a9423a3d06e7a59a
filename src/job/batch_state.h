#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/locked_file.h"
#include "sys/process_alive.h"

namespace pedro {

/// The record of one task of a batch.
struct TaskRecord {
  std::string key;  ///< identifies the task, independent of its line
  int line = 0;     ///< line number, from 1
  std::string agent = {};
  std::string host = {};         ///< the machine of `process`
  ProcessIdentity process = {};  ///< the process that works on it, or did
  std::string job = {};          ///< job id; "" if there is none yet
  bool ended = false;
  int exit_code = 0;
  std::string outcome = {};  ///< the job's outcome in one word, or why there was no job
  std::string branch = {};
  std::string error = {};  ///< its last error message, if it failed
  double duration_s = 0;
  std::string server = {};      ///< its model server, without secrets; "": the configured one
  std::string moved_from = {};  ///< the server before the last move, until the first reply after it
  int moves = 0;                ///< from one server to another
  long long moved_tokens = 0;   ///< evaluated by the first reply after each move
};

/// Returns true if the task reached a final result: done, failed checks, a limit, denied, or
/// nothing changed. Interrupted tasks, and those that could not start, must run again.
bool is_settled(const TaskRecord& record);

/// The last record of each task, by its key.
using TaskRecords = std::map<std::string, TaskRecord>;

/// Reads the records of a state file, also while a batch appends to it. Skips incomplete lines.
/// Errors (kUsage): the file is not readable, longer than 64 MiB, or not a state file.
Result<TaskRecords> read_task_records(const FileSystem& files, const std::string& path);

/// The state file of a batch. It is append-only, with one JSON object per line; docs/jobs.md
/// describes the format. One process at a time. Borrows the clock.
class BatchState {
 public:
  /// Errors (kUsage): another process uses the file; it is not writable; it is not a state file.
  static Result<BatchState> open(const Clock& clock, const std::string& path);
  /// Reads the records of an open file. Errors: as open().
  static Result<BatchState> read(const Clock& clock, LockedFile file, const std::string& path);

  /// Returns the last record of a task; null if there is none.
  const TaskRecord* find(const std::string& key) const;

  /// Appends a record; it is on the disk on return.
  Status note(const TaskRecord& record);

 private:
  BatchState(const Clock& clock, LockedFile file) : clock_(&clock), file_(std::move(file)) {}
  const Clock* clock_;
  LockedFile file_;
  TaskRecords records_;
};

/// The part of a batch that one process runs, as one of several on a cluster.
///
///   PEDRO_TRY(const BatchShard shard, choose_shard("3/8", environment));
///   if (shard.has(task.key)) …                // one of about an eighth of the tasks.
///   shard.state_path("tasks.jsonl.state");    // "tasks.jsonl.state.3-of-8".
///
/// The key of a task decides, not its line. If lines are added or moved between runs, a finished
/// task stays in the shard whose state has its record. So no other shard runs it again.
struct BatchShard {
  int index = 0;            ///< from 0
  int count = 1;            ///< 1: the whole batch
  std::string source = {};  ///< the flag or variable that chose the shard; "" if none did

  /// Returns true if the task with this key belongs to the shard. Exactly one index has it.
  bool has(std::string_view key) const;
  /// Returns the path of the shard's state file. `base` is the one of the whole batch.
  std::string state_path(const std::string& base) const;
};

/// Maximum number of shards.
inline constexpr int kMaxShards = 10'000;

/// Returns the shard of `flag` ("I/N", I from 0), else of the environment, else the whole batch.
/// The environment names a Slurm array (SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX, _STEP), else a
/// Kubernetes Indexed Job (JOB_COMPLETION_INDEX, JOB_COMPLETIONS). Errors (kUsage): not a shard; an
/// index without a count; an array that is not an evenly spaced range.
Result<BatchShard> choose_shard(const std::string& flag, const Environment& environment);

/// Returns the number of shards whose state files are beside `base`: 1 for `base` itself, 0 if
/// there are none. Errors (kUsage): the files are of different divisions, so a task could have two
/// records; the folder is not readable.
Result<int> shards_of_states(const FileSystem& files, const std::string& base);

}  // namespace pedro
