#pragma once

#include <cstddef>
#include <functional>
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

/// Checks that there are messages, that the last one is no complete answer, and that only it is a
/// prefix. Then checks all in order: `complaint` returns a message's problem; "" if there is none.
Status check_messages(const ChatRequest& request,
                      const std::function<std::string(const ChatMessage&)>& complaint);

}  // namespace pedro
