#pragma once

#include "base/json.h"
#include "chat/chat_request.h"

namespace pedro {

/// Converts a request to the JSON of OpenAI's chat completions, {"messages": […], "tools": […]}.
/// Omits "date", "tool_choice" and "continue_final_message". Content is one string. Arguments stay
/// strings. Parameters of a tool that are not JSON become {}.
Json write_chat_request(const ChatRequest& request);

}  // namespace pedro
