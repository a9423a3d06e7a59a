#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// Limits of a request; exceeding one is an Error.
struct ChatRequestLimits {
  std::size_t max_bytes = 64U << 20U;
  std::size_t max_text_bytes = 16U << 20U;  ///< of one string, in its JSON spelling
  std::size_t max_messages = 100'000;
  std::size_t max_parts = 10'000;  ///< chunks or calls of a message, tools
  std::size_t max_depth = 128;     ///< of the whole document
};

/// Reads an untrusted request in the format of OpenAI's chat completions: {"messages": […],
/// "tools": […]}.
///   content      a string, null (assistant only), or chunks {"type": "text", "text": …} and
///                {"type": "thinking", "thinking": …, "closed": true}
///   tool_calls   [{"id": …, "function": {"name": …, "arguments": a string or an object}}].
///   tool_choice  "auto", "none", "required" or {"type": "function", "function": {"name": …}}.
///   also         "prefix": true in an assistant's message; "reasoning" or "reasoning_content",
///                which become a leading chunk of thinking; "reasoning_effort"; "date";
///                "continue_final_message"
/// Ignores other members. Errors (kUsage) name the place: "messages[2].content: expected …", or
/// line and column. Does not check that a model family accepts such conversations.
Result<ChatRequest> read_chat_request(std::string_view json, const ChatRequestLimits& limits = {});

}  // namespace pedro
