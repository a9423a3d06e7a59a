#pragma once

#include <span>
#include <string>
#include <vector>

#include "call_parser/call_parser.h"
#include "chat/message.h"
#include "schema_to_gbnf/tool_calls.h"

namespace pedro {

/// Finds calls in the text of a message, in any syntax. Takes the syntax with the most calls of
/// `known` that are valid after corrections, then with the most calls of known tools. Returns its
/// other calls and its rejected parts too, so that the model gets their errors. Without a valid
/// call, takes loose_calls() if all of them are valid. Ignores thinking in tags before a valid
/// call. Empty without `known`.
std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known);

/// The same for text that may contain drafts of calls. Empty unless each part is a valid call.
std::vector<CallPart> valid_calls_in_text(const std::string& text,
                                          std::span<const CallBranch> known);

/// Finds calls in the text of a message, else valid ones in its thinking.
std::vector<CallPart> calls_in_content(const ChatMessage& message,
                                       std::span<const CallBranch> known);

}  // namespace pedro
