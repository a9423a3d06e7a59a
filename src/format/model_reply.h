#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "chat/chat_request.h"
#include "format/call_collector.h"
#include "format/call_part.h"
#include "format/known_tools.h"

namespace pedro {

/// Why a model stopped.
enum class StopCause {
  kNotSaid,
  kEnd,    ///< it had said all, or a stop sequence came
  kCalls,  ///< it waits for the results of calls
  /// There was no room for more tokens: the last text or call is cut, even where it looks whole
  /// (llama-server's /v1/messages, not streamed, has {} for arguments that are cut).
  kLength,
  kRefused,  ///< it, or a filter behind it, did not want to
  kOther
};

/// "not-said", "end", "calls", "length", "refused", "other"
std::string_view to_string(StopCause reason);

/// What a server that speaks in messages answered.
struct ModelReply {
  /// The assistant's: content and calls, as the model wrote them. Ready to stand in a ChatRequest;
  /// what no server takes back (an id that is missing, arguments that are no JSON) is as it came.
  ChatMessage message{Role::kAssistant, {}, {}, false, {}, {}};
  StopCause stop = StopCause::kNotSaid;
  std::string stop_reason;  ///< the same in the server's word, at most 100 bytes
  Usage usage;              ///< 0 where the server did not say it
};

/// The most that a reply may have of anything; more is an Error.
struct ReplyLimits {
  std::size_t max_bytes = 16U << 20U;  ///< of a body, of one event, and of all that is kept of them
  std::size_t max_parts = 1000;        ///< pieces of content, and calls
};

/// What the calls of a reply come to, one part for each: of a known tool, with arguments that fit
/// its schema, or why not, as CallParser says it. Blank arguments are {}. A call in a message
/// stands in no text: its `where` is empty, and a place in its arguments is "search: 1:14", line
/// and column. At most `limits.max_calls`, and `max_bytes` of arguments each.
std::vector<CallPart> check_calls(std::span<const RequestedCall> calls, const KnownTools& tools,
                                  const CallLimits& limits = {});

}  // namespace pedro
