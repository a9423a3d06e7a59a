#include "acp/job_replay.h"

namespace pedro::acp {

void JobReplay::hear(const Json& event, JobUpdates& updates) {
  const std::string type = text_of(event, "type");
  const bool starts = type == "thread.started" || type == "phase.started";
  if (type == "thread.started") is_ask_ = text_of(event, "agent") == "ask";
  if (is_ask_ && answered_ && starts) later_.emplace_back();
  if (starts) answered_ = false;
  if (type == "phase.completed") answered_ = true;
  if (later_.empty()) {
    updates.hear(event);
  } else {
    later_.back().push_back(event);
  }
}

void JobReplay::next_turn(JobUpdates& updates) {
  if (later_.empty()) return;
  const std::vector<Json> events = std::move(later_.front());
  later_.pop_front();
  for (const Json& event : events) updates.hear(event);
}

}  // namespace pedro::acp
