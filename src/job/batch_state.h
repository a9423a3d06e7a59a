#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "sys/locked_file.h"
#include "sys/process_alive.h"

namespace pedro {

/// What is known of one task of a batch.
struct TaskRecord {
  std::string key;  ///< what tells it from others, wherever it stands
  int line = 0;     ///< where it stood, from 1
  std::string agent = {};
  ProcessIdentity process = {};  ///< that works on it, or did
  std::string job = {};          ///< its id; "" where there is none yet
  bool ended = false;
  int exit_code = 0;
  std::string outcome = {};  ///< one word of the job's, or why there was no job
  std::string branch = {};
  std::string error = {};  ///< the last that it said, where it did not succeed
  double duration_s = 0;
};

/// Whether it came to an end of its own, good or bad: done, checks fail, a limit, denied, nothing
/// changed. What was interrupted, or could not work at all, is to be run again.
bool is_settled(const TaskRecord& record);

/// The file in which a batch notes what became of its tasks: a JSON object a line, only ever added
/// to; docs/jobs.md has the format. One process at a time. Borrows the clock.
class BatchState {
 public:
  /// Error (kUsage): another process has it, it cannot be written, or it is something else.
  static Result<BatchState> open(const Clock& clock, const std::string& path);

  /// What was noted last of a task; null where nothing was.
  const TaskRecord* find(const std::string& key) const;

  /// Notes what is known now; on the disk when this returns.
  Status note(const TaskRecord& record);

 private:
  BatchState(const Clock& clock, LockedFile file) : clock_(&clock), file_(std::move(file)) {}
  Status read(std::string_view text);

  const Clock* clock_;
  LockedFile file_;
  std::map<std::string, TaskRecord> records_;
};

}  // namespace pedro
