#pragma once

#include <optional>
#include <string_view>

#include "format/call_form.h"
#include "format/prompt.h"
#include "format/thinking_form.h"
#include "format/turn_rules.h"

namespace pedro {

/// Where a piece of calls has the arguments, be it as one or as several.
ByteRange arguments_in(std::string_view call);

/// What the rules of conversations in turns say about one reply; see format_family.h.
OpenThinking open_thinking(const TurnRules& rules);
Prompt end_of_thinking(const TurnRules& rules);
std::optional<ThinkingForm> thinking_form_of(const TurnRules& rules);

/// How a call is written; nothing where there is no way.
std::optional<CallForm> call_form_of(const TurnRules& rules);

}  // namespace pedro
