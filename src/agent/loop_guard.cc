#include "agent/loop_guard.h"

#include <string>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

// Returns arguments in a canonical form: ignores the order of keys and blanks at the ends of
// strings.
std::string normalised(const Json& args) {
  nlohmann::json sorted;  // sorted by key, unlike Json
  for (const auto& [key, value] : args.items()) {
    if (value.is_string()) {
      sorted[key] = std::string(trim(value.get_ref<const std::string&>()));
    } else {
      sorted[key] = nlohmann::json::parse(to_line(value), nullptr, false);
    }
  }
  return sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::uint64_t key_of(const ToolCall& call) {
  return hash_bytes(normalised(call.args), hash_bytes(call.tool + '\n'));
}

}  // namespace

int LoopGuard::record(const ToolCall& call, const ToolResult& result, bool acts) {
  const std::uint64_t outcome = hash_bytes(result.text, result.ok ? kHashSeed : ~kHashSeed);
  // An edit resets other counts, since the same result is then new information. Repeated edits
  // still count.
  const bool changes = !result.changed.empty();
  if (changes) std::erase_if(seen_, [](const auto& entry) { return !entry.second.changes; });
  if (acts && result.ok) ++acts_;
  Seen& seen = seen_[key_of(call)];
  seen.changes = changes;
  seen.times = seen.result == outcome ? seen.times + 1 : 1;
  seen.result = outcome;
  seen.ok = result.ok || result.may_repeat;
  seen.acts = acts_;
  return seen.times;
}

bool LoopGuard::is_spent(const ToolCall& call) const {
  const auto known = seen_.find(key_of(call));
  if (known == seen_.end() || known->second.acts != acts_) return false;
  return !known->second.ok || known->second.times >= kHintAt;
}

}  // namespace pedro
