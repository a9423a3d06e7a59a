#include "agent/loop_guard.h"

#include <string>

#include "base/hash.h"
#include "base/text.h"

namespace pedro {
namespace {

// Arguments that differ only in the order of keys or in blanks at the ends of strings are the same.
std::string normalised(const Json& args) {
  nlohmann::json sorted;  // unlike Json, ordered by key
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
  // After an edit the same answer is news: the tests may pass again. The same edit over and over is
  // still the same.
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
