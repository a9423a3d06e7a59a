#pragma once

#include <deque>
#include <vector>

#include "acp/job_updates.h"
#include "base/json.h"

namespace pedro::acp {

/// Replays the journal of a job whose questions belong to several turns of a session (`pedrocli ask
/// -after`). Keeps the events of later turns in memory. One thread.
///
///     read_journal(files, path, [&](const Json& event) { replay.hear(event, updates); });
///     replay.next_turn(updates);   // for each later turn
class JobReplay {
 public:
  /// Passes an event of the first turn to `updates`, and keeps one of a later turn.
  void hear(const Json& event, JobUpdates& updates);
  /// Passes the events of the next turn to `updates`, if there is one.
  void next_turn(JobUpdates& updates);

 private:
  std::deque<std::vector<Json>> later_;
  bool is_ask_ = false;
  bool answered_ = false;  // the last turn
};

}  // namespace pedro::acp
