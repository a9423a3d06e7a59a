#pragma once

#include <vector>

#include "chat/chat_request.h"
#include "chat/message.h"

namespace pedro {

// Forms of a conversation that strict servers accept.

/// Removes the text of messages with calls, which mistral-common refuses. Returns false if there is
/// none.
bool drop_text_beside_calls(ChatRequest& chat);

/// Moves a user's message that follows a tool's result into the result. Templates of the Mistral
/// family refuse the pair.
void join_users_to_results(std::vector<ChatMessage>& messages);

}  // namespace pedro
