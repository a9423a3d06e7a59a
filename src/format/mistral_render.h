#pragma once

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/mistral_rules.h"
#include "format/prompt.h"

namespace pedro {

/// A conversation as mistral-common writes it, token for token. An Error (kUsage) where there is no
/// way to write it: an assistant's message with nothing in it, calls where there are no tokens for
/// them. More is written than check_mistral() takes.
Result<Prompt> render_mistral(const MistralRules& rules, const ChatRequest& request);

}  // namespace pedro
