#pragma once

#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "chat_format/mistral_rules.h"

namespace pedro {

/// A conversation as it is written. Consecutive messages of one role are joined, except results of
/// tools. The texts of a message are joined by empty lines.
struct MistralTurns {
  std::vector<ChatMessage> messages;
  /// All system messages, if the version does not write them in place. `messages` then has none.
  std::string system;
};

/// Joins, orders and places the messages of `request`. Adds an empty user's turn to an empty
/// conversation, or at the start if the version requires one.
MistralTurns mistral_turns(const MistralRules& rules, const ChatRequest& request);

}  // namespace pedro
