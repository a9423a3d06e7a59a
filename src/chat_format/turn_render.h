#pragma once

#include <cstddef>

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/call_form.h"
#include "chat_format/prompt.h"
#include "chat_format/turn_rules.h"

namespace pedro {

/// Renders the conversation by the rules. Error (kUsage): the family cannot write it.
Result<Prompt> render_turns(const TurnRules& rules, const ChatRequest& request);

/// Renders the text after a reply: see render_continuation().
Result<Prompt> continue_turns(const TurnRules& rules, const ChatRequest& request, std::size_t first,
                              ReplyEnd end);

}  // namespace pedro
