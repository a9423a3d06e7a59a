#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// The most a request may have of anything; more is an Error.
struct ChatRequestLimits {
  std::size_t max_bytes = 64U << 20U;
  std::size_t max_text_bytes = 16U << 20U;  ///< of one string, as it is written
  std::size_t max_messages = 100'000;
  std::size_t max_parts = 10'000;  ///< chunks or calls of a message, tools
  std::size_t max_depth = 128;     ///< of the whole document
};

/// Reads a request as OpenAI's chat completions have it: {"messages": […], "tools": […]}. Hostile.
///   content      a string, null (of an assistant's), or chunks {"type": "text", "text": …} and
///                {"type": "thinking", "thinking": …, "closed": true}
///   tool_calls   [{"id": …, "function": {"name": …, "arguments": a string or an object}}]
///   tool_choice  "auto", "none", "required" or {"type": "function", "function": {"name": …}}
///   also         "prefix": true of an assistant's message; "reasoning" or "reasoning_content",
///                which become a chunk of thinking in front; "reasoning_effort";
///                "date"; "continue_final_message"
/// Other members mean nothing. Errors (kUsage) name the place: "messages[2].content: expected …",
/// or line and column. Whether a model family knows such conversations is not looked at here.
Result<ChatRequest> read_chat_request(std::string_view json, const ChatRequestLimits& limits = {});

}  // namespace pedro
