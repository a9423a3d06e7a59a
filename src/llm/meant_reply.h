#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "messages_api/model_reply.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

// Corrections of replies in which a server confuses parts or reasons.

/// Reads calls whose name and arguments are one text, as the name or as the arguments. Leaves
/// others unchanged.
std::vector<RequestedCall> with_names(std::vector<RequestedCall> calls,
                                      std::span<const CallBranch> known);

/// Returns true if the calls are complete although the server says that the limit cut them. The
/// limit was `max_tokens`.
bool has_whole_calls(const ModelReply& reply, long long max_tokens);

/// Returns true for a message without text, thinking and calls.
bool is_blank(const ChatMessage& message);

/// Returns the refusal that a server wrote as its reply: "ERROR: The prompt size exceeds …".
std::optional<Overflow> length_refusal_in(const ModelReply& reply);

}  // namespace pedro
