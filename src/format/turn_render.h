#pragma once

#include <cstddef>
#include <optional>

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

/// See FormatFamily's open_thinking() and end_of_thinking().
OpenThinking open_thinking(const TurnRules& rules);
Prompt end_of_thinking(const TurnRules& rules);

/// How a call is written; nothing where there is no way.
std::optional<CallForm> call_form_of(const TurnRules& rules);

}  // namespace pedro
