#pragma once

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/turn_rules.h"

namespace pedro {

/// Checks that a conversation can continue. It has messages and no final answer, and only the last
/// message is a prefix. Results follow calls and do not outnumber them. Names are present, and the
/// family has all parts. Error (kUsage): the first problem.
Status check_turns(const TurnRules& rules, const ChatRequest& request);

}  // namespace pedro
