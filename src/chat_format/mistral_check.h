#pragma once

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/mistral_rules.h"

namespace pedro {

/// Checks that mistral-common's validator accepts the request in its default mode. For schemas of
/// tools, see check_tool_schema(). Error (kUsage): the validator's first complaint, in other words:
/// "messages[2]: …".
Status check_mistral(const MistralRules& rules, const ChatRequest& request);

}  // namespace pedro
