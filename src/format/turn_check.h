#pragma once

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/turn_rules.h"

namespace pedro {

/// Whether a conversation is one that can go on: it has messages and does not end with an answer,
/// only the last message is a prefix, results follow calls and are not more than these, names are
/// there, and the family has what is in it. The Error (kUsage) is the first thing against it.
Status check_turns(const TurnRules& rules, const ChatRequest& request);

}  // namespace pedro
