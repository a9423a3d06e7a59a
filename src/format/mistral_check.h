#pragma once

#include "base/result.h"
#include "chat/chat_request.h"
#include "format/mistral_rules.h"

namespace pedro {

/// Whether mistral-common's validator, in its default mode, takes the request; of tools' schemas
/// see check_tool_schema(). The Error (kUsage) is the first thing it would complain of, in our
/// words: "messages[2]: …".
Status check_mistral(const MistralRules& rules, const ChatRequest& request);

}  // namespace pedro
