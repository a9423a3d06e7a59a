#include "chat/call_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/hash.h"
#include "chat/waiting_calls.h"

namespace pedro {
namespace {

constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

bool is_visible(char c) {
  return c > ' ' && c <= '~';
}

bool has_characters(std::string_view id, CallIdForm::Characters characters) {
  using Characters = CallIdForm::Characters;
  if (characters == Characters::kVisible) return std::all_of(id.begin(), id.end(), is_visible);
  return std::all_of(id.begin(), id.end(), [&](char c) {
    const bool joins = characters == Characters::kWord && (c == '_' || c == '-');
    return joins || kDigits.find(c) != std::string_view::npos;
  });
}

/// Assigns ids to calls and results without one. No format accepts the form of these ids, so they
/// are replaced later by ids that no call has.
class MissingIds {
 public:
  void add_to(ChatRequest& request) {
    for (ChatMessage& message : request.messages) {
      ++messages_;
      if (message.role == Role::kAssistant) add_to_calls(message);
      if (message.role == Role::kTool) add_to_result(message);
    }
  }

 private:
  void add_to_calls(ChatMessage& message) {
    open_.clear();
    for (RequestedCall& call : message.calls) {
      if (call.id.empty()) call.id = fmt::format("message {} call {}", messages_, open_.size());
      open_.add(call.id);
    }
  }

  void add_to_result(ChatMessage& message) {
    if (message.call_id && !message.call_id->empty()) {
      open_.answer(*message.call_id);
    } else if (!open_.empty()) {
      message.call_id = open_.first();
      open_.answer(*message.call_id);
    }
  }

  std::size_t messages_ = 0;
  WaitingCalls open_;
};

/// Separates calls with equal ids, and their results. No format accepts the form of the new ids
/// either.
class RepeatedIds {
 public:
  /// `everywhere`: ids are unique in the conversation, otherwise in their message.
  explicit RepeatedIds(bool everywhere) : everywhere_(everywhere) {}

  void separate(ChatRequest& request) {
    for (ChatMessage& message : request.messages) {
      if (message.role == Role::kAssistant) separate_calls(message);
      if (message.role == Role::kTool && message.call_id) follow(*message.call_id);
    }
  }

 private:
  void separate_calls(ChatMessage& message) {
    waiting_.clear();
    if (!everywhere_) times_.clear();
    for (RequestedCall& call : message.calls) {
      std::deque<std::string>& waiting = waiting_[call.id];
      const std::size_t time = times_[call.id]++;
      if (time > 0) call.id = fmt::format("{} again {}", call.id, time);
      waiting.push_back(call.id);
    }
  }

  // Gives a result the id of the first call that waits for it.
  void follow(std::string& id) {
    const auto found = waiting_.find(id);
    if (found == waiting_.end() || found->second.empty()) return;
    id = std::move(found->second.front());
    found->second.pop_front();
  }

  bool everywhere_;
  std::map<std::string, std::size_t> times_;
  std::map<std::string, std::deque<std::string>> waiting_;  // new ids by the given ones
};

/// The ids so far and their replacements.
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
  const std::size_t min = form.max_length > 0 ? 1 : form.length;
  const std::size_t max = std::max(form.max_length, form.length);
  return id.size() >= min && id.size() <= max && has_characters(id, form.characters);
}

void map_call_ids(ChatRequest& request, const CallIdForm& form) {
  if (form.required) {
    MissingIds().add_to(request);
    RepeatedIds(form.once).separate(request);
  }
  Mapping ids(form);
  for (ChatMessage& message : request.messages) {
    for (RequestedCall& call : message.calls) {
      if (!call.id.empty()) call.id = ids[call.id];
    }
    if (message.call_id && !message.call_id->empty()) message.call_id = ids[*message.call_id];
  }
}

}  // namespace pedro
