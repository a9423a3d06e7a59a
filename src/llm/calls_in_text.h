#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/call_parser.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// Finds calls that a server left in the text of a message, in any syntax. Empty unless each one is
/// a call of `known` after corrections of its arguments. No other text is then read as a call.
std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known);

}  // namespace pedro
