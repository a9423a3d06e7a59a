#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// Conversations in the format of OpenAI's chat completions and of compatible servers:
/// llama-server, vLLM, Ollama, LM Studio. read_chat_request() reads the output back unchanged.

/// Checks that such servers accept the conversation: see check_messages(). Call ids are 1 to 40
/// visible ASCII characters.
Status check_openai(const ChatRequest& request);

/// Renders the conversation's members of a request body on one line: {"messages": […], "tools":
/// […], "tool_choice": …, "reasoning_effort": …, "continue_final_message": true}. Omits empty
/// members. Arguments are strings with the model's text, or objects (`object_arguments`). Thinking
/// is `reasoning_content`, joined from all pieces; OpenAI's own API has no such member. A prefix
/// has "prefix": true, like with Mistral and DeepSeek. llama-server treats a `tool_choice` of one
/// function as "auto". Renders any request; check_openai() finds those that servers refuse.
std::string render_openai(const ChatRequest& request);

/// Returns the request with ids that check_openai() accepts; see map_call_ids().
ChatRequest with_openai_call_ids(ChatRequest request);

}  // namespace pedro
