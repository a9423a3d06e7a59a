#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chat/chat_request.h"
#include "chat_format/call_form.h"
#include "chat_format/mistral_rules.h"
#include "chat_format/prompt.h"

namespace pedro {

/// A conversation as it is written. Consecutive messages of one role are joined, except results of
/// tools. The texts of a message are joined by empty lines.
struct MistralTurns {
  std::vector<ChatMessage> messages;
  /// All system messages, if the version does not write them in place. `messages` then has none.
  std::string system;
};

/// Joins, orders and places the messages of `request`. Adds an empty user's turn to an empty
/// conversation, or at the start if the version requires one.
MistralTurns mistral_turns(const MistralRules& rules, const ChatRequest& request);

/// Checks that mistral-common's validator accepts the request in its default mode. For schemas of
/// tools, see check_tool_schema(). Error (kUsage): the validator's first complaint, in other words:
/// "messages[2]: …".
Status check_mistral(const MistralRules& rules, const ChatRequest& request);

/// Renders a conversation like mistral-common, token for token. Error (kUsage): it cannot be
/// written, like an empty assistant's message or calls in a format without tokens for them. Renders
/// more conversations than check_mistral() accepts.
Result<Prompt> render_mistral(const MistralRules& rules, const ChatRequest& request);

/// Renders the text after a reply: see render_continuation().
Result<Prompt> continue_mistral(const MistralRules& rules, const ChatRequest& request,
                                std::size_t first, ReplyEnd end);

/// Returns the form of a call; nothing if the format has none.
std::optional<CallForm> call_form_of(const MistralRules& rules);

/// Returns the form of thinking; nothing if the format does not write it.
std::optional<ThinkingForm> thinking_form_of(const MistralRules& rules);

}  // namespace pedro
