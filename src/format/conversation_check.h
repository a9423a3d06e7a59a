#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

// What holds for conversations of all formats, and how what is wrong with one is said. All Errors
// are kUsage.

/// "messages[3]: …"
Error wrong_message(std::size_t index, std::string_view what);

/// "this conversation cannot be written: …"
Error cannot_write(std::string_view what);

/// The message `index` is the last, and an answer: there is nothing left to say.
Error already_answered(std::size_t index);

/// There are messages, and the last is no answer, unless the model is to go on with it.
Status check_last_message(const ChatRequest& request);

/// What is wrong with a message that is a prefix; "" where nothing is.
std::string prefix_complaint(const ChatMessage& message, bool is_last);

}  // namespace pedro
