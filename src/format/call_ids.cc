#include "format/call_ids.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/hash.h"

namespace pedro {
namespace {

constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What ids have become so far.
class Mapping {
 public:
  explicit Mapping(const CallIdForm& form) : form_(form) {}

  const std::string& operator[](const std::string& id) {
    const auto [at, fresh] = known_.try_emplace(id);
    if (fresh) at->second = free_id(id);
    return at->second;
  }

 private:
  std::string free_id(const std::string& id) {
    std::string candidate = id;
    std::uint64_t seed = kHashSeed;
    while (!is_call_id(candidate, form_) || !taken_.insert(candidate).second) {
      seed = hash_bytes(id, seed);
      candidate = made_of(seed);
    }
    return candidate;
  }

  std::string made_of(std::uint64_t hash) const {
    std::string id(form_.length, kDigits[0]);
    for (char& c : id) {
      c = kDigits[hash % kDigits.size()];
      hash /= kDigits.size();
    }
    return id;
  }

  CallIdForm form_;
  std::map<std::string, std::string> known_;
  std::set<std::string> taken_;
};

}  // namespace

bool is_call_id(std::string_view id, const CallIdForm& form) {
  return id.size() == form.length && id.find_first_not_of(kDigits) == std::string_view::npos;
}

void map_call_ids(ChatRequest& request, const CallIdForm& form) {
  Mapping ids(form);
  for (ChatMessage& message : request.messages) {
    for (RequestedCall& call : message.calls) {
      if (!call.id.empty()) call.id = ids[call.id];
    }
    if (message.call_id && !message.call_id->empty()) message.call_id = ids[*message.call_id];
  }
}

}  // namespace pedro
