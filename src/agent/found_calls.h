#pragma once

#include <string>
#include <vector>

#include "format/call_part.h"
#include "llm/model.h"

namespace pedro {

/// The calls in a reply. Borrows the reply.
struct FoundCalls {
  std::vector<const ParsedCall*> calls;
  std::string problem;  ///< of the first part that is not a call; "" if there is none
};

/// Collects the calls of a reply. Returns none if the reply has too many calls or a call that is
/// too long, because a partial list must not run.
FoundCalls find_calls(const Reply& reply);

/// Returns the text next to calls that a server reports apart from it. "" for other replies: their
/// calls are in the text, and their format writes them again.
std::string text_beside_calls(const Reply& reply);

}  // namespace pedro
