#pragma once

#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "format/mistral_rules.h"

namespace pedro {

/// A conversation as it is written: messages of one role behind each other are one, but for results
/// of tools; texts of a message are one, with an empty line between them.
struct MistralTurns {
  std::vector<ChatMessage> messages;
  /// All system messages, where they are not written in their place; these have no message then.
  std::string system;
};

/// Joins, orders and places what is in `request`. A conversation without a user's turn in front
/// gets an empty one, where the version wants that.
MistralTurns mistral_turns(const MistralRules& rules, const ChatRequest& request);

}  // namespace pedro
