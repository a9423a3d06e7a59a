#pragma once

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/call_form.h"
#include "chat_format/mistral_rules.h"
#include "chat_format/prompt.h"
#include "chat_format/thinking_form.h"

namespace pedro {

/// Renders a conversation like mistral-common, token for token. Error (kUsage): it cannot be
/// written, for example an empty assistant's message, or calls in a format without tokens for them.
/// Renders more conversations than check_mistral() accepts.
Result<Prompt> render_mistral(const MistralRules& rules, const ChatRequest& request);

/// Renders the text after a reply: see render_continuation().
Result<Prompt> continue_mistral(const MistralRules& rules, const ChatRequest& request,
                                std::size_t first, ReplyEnd end);

/// Returns the form of a call; nothing if the format has none.
std::optional<CallForm> call_form_of(const MistralRules& rules);

/// Returns the form of thinking; nothing if the format does not write it.
std::optional<ThinkingForm> thinking_form_of(const MistralRules& rules);

}  // namespace pedro
