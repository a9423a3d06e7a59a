#pragma once

#include <string>
#include <vector>

#include "agent/tool_set.h"
#include "call_parser/call_part.h"
#include "llm/model.h"

namespace pedro {

/// A call of a reply, with the name and the action that the model meant.
struct FoundCall {
  ParsedCall call;
  std::vector<std::string> repairs = {};
};

/// The calls in a reply.
struct FoundCalls {
  std::vector<FoundCall> calls;
  std::string problem;  ///< of the first part that is not a call; "" if there is none
};

/// Collects the calls of a reply. Omits a repetition of an earlier call, and a call without
/// arguments next to another one of the same tool: servers repeat calls. Returns none if the reply
/// has too many calls or a call that is too long, because a partial list must not run.
FoundCalls find_calls(const Reply& reply, const ToolSet& tools);

/// Returns the text next to calls that a server reports apart from it. "" for other replies: their
/// calls are in the text, and their format writes them again.
std::string text_beside_calls(const Reply& reply);

}  // namespace pedro
