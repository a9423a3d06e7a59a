#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "call_parser/call_collector.h"
#include "call_parser/call_part.h"
#include "call_parser/known_tools.h"
#include "chat/chat_request.h"

namespace pedro {

/// The reason why a model stopped.
enum class StopCause {
  kNotSaid,
  kEnd,    ///< the reply is complete, or a stop sequence occurred
  kCalls,  ///< the model waits for the results of calls
  /// The token limit was reached. The last text or call is cut, even if it looks complete.
  /// llama-server's /v1/messages writes {} for cut arguments if it does not stream.
  kLength,
  kRefused,  ///< the model or a filter refused
  kOther
};

/// The `stop_reason` of a reply for which the model's window had no room.
inline constexpr std::string_view kWindowIsFull = "model_context_window_exceeded";

/// "not-said", "end", "calls", "length", "refused", "other"
std::string_view to_string(StopCause reason);

/// The reply of a message server.
struct ModelReply {
  /// The assistant's message: content and calls as the model wrote them. It can be added to a
  /// ChatRequest. Parts that servers refuse (a missing id, arguments that are not JSON) stay
  /// unchanged.
  ChatMessage message{Role::kAssistant, {}, {}, false, {}, {}};
  StopCause stop = StopCause::kNotSaid;
  std::string stop_reason;  ///< the server's name for `stop`, at most 100 bytes
  Usage usage;              ///< 0 if the server did not report it
};

/// Limits of a reply; exceeding one is an Error.
struct ReplyLimits {
  std::size_t max_bytes = 16U << 20U;  ///< of a body, of one event, and of all stored content
  std::size_t max_parts = 1000;        ///< pieces of content, and calls
};

/// Checks the calls of a reply. Returns one part each, like CallParser: a call of a known tool with
/// valid arguments, or the reason against it. Blank arguments are {}. Arguments may have more
/// around their object, see only_object_in(). Skips a piece without name and arguments next to
/// other calls. `where` is empty, because the calls are not in a text. A place in arguments is
/// "search: 1:14", line and column. Reads at most `limits.max_calls` calls, with at most
/// `max_bytes` of arguments each.
std::vector<CallPart> check_calls(std::span<const RequestedCall> calls, const KnownTools& tools,
                                  const CallLimits& limits = {});

}  // namespace pedro
