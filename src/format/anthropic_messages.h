#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// Conversations as Anthropic's messages API has them, and llama-server's /v1/messages.
///
/// There are turns of the user and of the assistant, in turn, each an array of blocks. So messages
/// of one side behind each other become one turn, results stand in front of it, and system messages
/// stand apart. A text of blanks only is no block, and a turn without blocks is left out: the API
/// refuses both.

/// Whether the API takes the conversation: see check_messages(), with `turns`. Ids of calls are 1
/// to 64 letters, digits, '_' and '-'.
Status check_anthropic(const ChatRequest& request);

/// Where a request says that its prompt is to be cached up to there ("cache_control").
enum class CacheMarks {
  kNone,
  /// At the end of the tools, of the system's text and of the last two turns of the user: what the
  /// request before this one had cached ends at the former of them. Four are the API's limit.
  kPrefixes
};

/// The conversation's part of a request's body, a line: {"system": […], "messages": […], "tools":
/// […], "tool_choice": …}, without what there is nothing of. All contents are arrays of blocks.
/// Arguments stand there as they were written, all digits kept. Thinking is written where it has a
/// signature, which the API wants to have back. Parameters get "type": "object" where they have no
/// type. An Error (kUsage) where arguments or parameters are no JSON object:
/// "messages[3].tool_calls[0]: …".
Result<std::string> render_anthropic(const ChatRequest& request,
                                     CacheMarks marks = CacheMarks::kNone);

/// The request with ids that check_anthropic() takes; see map_call_ids().
ChatRequest with_anthropic_call_ids(ChatRequest request);

}  // namespace pedro
