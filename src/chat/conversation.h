#pragma once

#include <cassert>
#include <span>
#include <string>
#include <vector>

#include "chat/message.h"

namespace pedro {

/// The turns of one job, oldest first. Only ever appended to, which is what lets a server reuse
/// everything it has evaluated. Owns the texts; not thread-safe.
class Conversation {
 public:
  void append(Role role, std::string text) { messages_.push_back({role, std::move(text)}); }

  std::span<const Message> messages() const { return messages_; }
  std::size_t size() const { return messages_.size(); }

 private:
  std::vector<Message> messages_;
};

}  // namespace pedro
