#include "llm/slot_watch.h"

namespace pedro {

SlotWatch::SlotWatch(LlamaClient& client, int slot, const GenerateEvents& events,
                     const Clock& clock, double idle_timeout_s)
    : client_(client),
      slot_(slot),
      events_(events),
      clock_(clock),
      idle_timeout_s_(idle_timeout_s),
      last_moved_ms_(clock.ticks_ms()) {}

bool SlotWatch::look() {
  const Result<Json> answer = client_.get("/slots");
  const Json none;
  const Json* slots = answer && answer->is_array() ? &*answer : &none;
  const Json* slot = &none;
  for (const Json& candidate : *slots) {
    if (number_of(candidate, "id", -1) == slot_) slot = &candidate;
  }
  const Json& next = member(*slot, "next_token");
  const long long decoded =
      number_of(next.is_array() && !next.empty() ? next[0] : next, "n_decoded");
  const long long processed = number_of(*slot, "n_prompt_tokens_processed");
  const long long total = number_of(*slot, "n_prompt_tokens");
  if (decoded > 0) {
    if (events_.on_generated) events_.on_generated(decoded);
  } else if (events_.on_prefill && total > 0) {
    events_.on_prefill(number_of(*slot, "n_prompt_tokens_cache") + processed, total);
  }
  const long long now = clock_.ticks_ms();
  if (slot == &none) return static_cast<double>(now - last_moved_ms_) < idle_timeout_s_ * 1000;
  if (decoded + processed != last_seen_) last_moved_ms_ = now;
  last_seen_ = decoded + processed;
  return static_cast<double>(now - last_moved_ms_) < idle_timeout_s_ * 1000;
}

}  // namespace pedro
