#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// Conversations as OpenAI's chat completions have them, and every server that speaks like it:
/// llama-server, vLLM, Ollama, LM Studio. read_chat_request() reads what is written here as the
/// same.

/// Whether such servers take the conversation: see check_messages(). Ids of calls are 1 to 40
/// visible ASCII characters.
Status check_openai(const ChatRequest& request);

/// The conversation's part of a request's body, a line: {"messages": […], "tools": […],
/// "tool_choice": …, "reasoning_effort": …, "continue_final_message": true}, without what there is
/// nothing of. Arguments are strings that hold what the model wrote. Thinking is
/// `reasoning_content`, joined where there are several pieces; OpenAI itself has no such member.
/// A prefix is marked as Mistral and DeepSeek have it, "prefix": true. llama-server takes a
/// `tool_choice` of one function for "auto". Nothing that can be asked is refused: what a server
/// would not take is a matter of check_openai().
std::string render_openai(const ChatRequest& request);

/// The request with ids that check_openai() takes; see map_call_ids().
ChatRequest with_openai_call_ids(ChatRequest request);

}  // namespace pedro
