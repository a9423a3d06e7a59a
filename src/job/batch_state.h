#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "sys/locked_file.h"
#include "sys/process_alive.h"

namespace pedro {

/// The record of one task of a batch.
struct TaskRecord {
  std::string key;  ///< identifies the task, independent of its line
  int line = 0;     ///< line number, from 1
  std::string agent = {};
  ProcessIdentity process = {};  ///< the process that works on it, or did
  std::string job = {};          ///< job id; "" if there is none yet
  bool ended = false;
  int exit_code = 0;
  std::string outcome = {};  ///< the job's outcome in one word, or why there was no job
  std::string branch = {};
  std::string error = {};  ///< its last error message, if it failed
  double duration_s = 0;
};

/// Returns true if the task reached a final result: done, failed checks, a limit, denied, or
/// nothing changed. Interrupted tasks, and those that could not start, must run again.
bool is_settled(const TaskRecord& record);

/// The state file of a batch. It is append-only, with one JSON object per line; docs/jobs.md
/// describes the format. One process at a time. Borrows the clock.
class BatchState {
 public:
  /// Errors (kUsage): another process uses the file; it is not writable; it is not a state file.
  static Result<BatchState> open(const Clock& clock, const std::string& path);

  /// Returns the last record of a task; null if there is none.
  const TaskRecord* find(const std::string& key) const;

  /// Appends a record; it is on the disk on return.
  Status note(const TaskRecord& record);

 private:
  BatchState(const Clock& clock, LockedFile file) : clock_(&clock), file_(std::move(file)) {}
  Status read(std::string_view text);

  const Clock* clock_;
  LockedFile file_;
  std::map<std::string, TaskRecord> records_;
};

}  // namespace pedro
