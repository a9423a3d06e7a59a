#pragma once

#include <string>

#include "base/result.h"
#include "chat/chat_request.h"

namespace pedro {

/// Conversations in the format of Anthropic's messages API, also llama-server's /v1/messages.
///
/// User and assistant turns alternate; each is an array of blocks. Consecutive messages of one side
/// become one turn, with tool results first. System messages are separate. A text of blanks gives
/// no block and a turn without blocks is omitted, because the API refuses both.

/// Checks that the API accepts the conversation: see check_messages(), with `turns`. Call ids are 1
/// to 64 letters, digits, '_' and '-'.
Status check_anthropic(const ChatRequest& request);

/// Positions at which a request asks for the prompt to be cached ("cache_control").
enum class CacheMarks {
  kNone,
  /// At the end of the tools, the system text and the last two user turns. The previous request's
  /// cache ends at the first of these two. The API allows four marks.
  kPrefixes
};

/// The form of contents that are only text. Strict servers accept only strings, without cache
/// marks.
enum class ContentForm { kBlocks, kString };

/// Renders the conversation's members of a request body on one line: {"system": […], "messages":
/// […], "tools": […], "tool_choice": …}. Omits empty members. Contents are arrays of blocks.
/// Arguments are copied verbatim, with all digits. Thinking of the assistant is written only with
/// its signature, which the API requires back. Parameters without a type get "type": "object".
/// Error (kUsage): arguments or parameters are not a JSON object: "messages[3].tool_calls[0]: …".
Result<std::string> render_anthropic(const ChatRequest& request,
                                     CacheMarks marks = CacheMarks::kNone,
                                     ContentForm form = ContentForm::kBlocks);

/// Returns the request with ids that check_anthropic() accepts; see map_call_ids().
ChatRequest with_anthropic_call_ids(ChatRequest request);

}  // namespace pedro
