#pragma once

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/call_form.h"
#include "format/mistral_rules.h"
#include "format/prompt.h"
#include "format/thinking_form.h"

namespace pedro {

/// A conversation as mistral-common writes it, token for token. An Error (kUsage) where there is no
/// way to write it: an assistant's message with nothing in it, calls where there are no tokens for
/// them. More is written than check_mistral() takes.
Result<Prompt> render_mistral(const MistralRules& rules, const ChatRequest& request);

/// What comes behind a reply: see render_continuation().
Result<Prompt> continue_mistral(const MistralRules& rules, const ChatRequest& request,
                                std::size_t first, ReplyEnd end);

/// How a call is written; nothing where there is no way.
std::optional<CallForm> call_form_of(const MistralRules& rules);

/// How thinking is written; nothing where it is not.
std::optional<ThinkingForm> thinking_form_of(const MistralRules& rules);

}  // namespace pedro
