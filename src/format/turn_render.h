#pragma once

#include <cstddef>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/call_form.h"
#include "format/prompt.h"
#include "format/turn_rules.h"

namespace pedro {

/// The conversation by the rules. An Error (kUsage) where the family has no way to write it.
Result<Prompt> render_turns(const TurnRules& rules, const ChatRequest& request);

/// What comes behind a reply: see render_continuation().
Result<Prompt> continue_turns(const TurnRules& rules, const ChatRequest& request, std::size_t first,
                              ReplyEnd end);

}  // namespace pedro
