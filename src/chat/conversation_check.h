#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

// Checks of conversations in all formats, and their error messages. All Errors are kUsage.

/// Returns the Error "messages[3]: …" for the message `index`.
Error wrong_message(std::size_t index, std::string_view what);

/// Returns the Error "this conversation cannot be written: …".
Error cannot_write(std::string_view what);

/// Returns the Error for a conversation that ends with a complete answer, message `index`.
Error already_answered(std::size_t index);

/// Checks that there are messages and that the last one is not a complete answer.
Status check_last_message(const ChatRequest& request);

/// Returns the problem of a message that is a prefix; "" if there is none.
std::string prefix_complaint(const ChatMessage& message, bool is_last);

}  // namespace pedro
