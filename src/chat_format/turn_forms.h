#pragma once

#include <optional>
#include <string_view>

#include "chat_format/call_form.h"
#include "chat_format/prompt.h"
#include "chat_format/turn_rules.h"

namespace pedro {

/// Returns the position of {{arguments}} or {{parameters}} in a call's piece; its end if absent.
ByteRange arguments_in(std::string_view call);

/// Returns the forms of one reply in a conversation of turns; see format_family.h.
OpenThinking open_thinking(const TurnRules& rules);
Prompt end_of_thinking(const TurnRules& rules);
std::optional<ThinkingForm> thinking_form_of(const TurnRules& rules);

/// Returns the form of a call; nothing if there is none.
std::optional<CallForm> call_form_of(const TurnRules& rules);

}  // namespace pedro
