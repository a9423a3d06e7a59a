#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/environment.h"
#include "sys/file_system.h"

namespace pedro {

/// The part of a batch that one process runs, as one of several on a cluster.
///
///   PEDRO_TRY(const BatchShard shard, choose_shard("3/8", environment));
///   if (shard.has(task.key)) …                // one of about an eighth of the tasks
///   shard.state_path("tasks.jsonl.state");    // "tasks.jsonl.state.3-of-8"
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

/// Returns the shard of `flag` ("I/N", I from 0), else of a Slurm array (SLURM_ARRAY_TASK_ID,
/// _COUNT, _MIN, _MAX, _STEP), else of a Kubernetes Indexed Job (JOB_COMPLETION_INDEX,
/// JOB_COMPLETIONS), else the whole batch. Errors (kUsage): not a shard; an index without a count;
/// an array that is not an evenly spaced range.
Result<BatchShard> choose_shard(const std::string& flag, const Environment& environment);

/// Returns the number of shards whose state files are beside `base`: 1 for `base` itself, 0 if
/// there are none. Errors (kUsage): the files are of different divisions, so a task could have two
/// records; the folder is not readable.
Result<int> shards_of_states(const FileSystem& files, const std::string& base);

}  // namespace pedro
