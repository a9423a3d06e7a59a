#pragma once

#include "base/json.h"
#include "chat/chat_request.h"

namespace pedro {

/// A request as OpenAI's chat completions have it, {"messages": […], "tools": […]}: the members
/// that read_chat_request() reads, but for "date". Content is one string; arguments are the string
/// that they are. What is no JSON in a tool's parameters becomes {}.
Json write_chat_request(const ChatRequest& request);

}  // namespace pedro
