#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/call_parser.h"
#include "grammar/tool_calls.h"

namespace pedro {

/// Finds calls that a server left in the text of a message, in any syntax. Returns them only if
/// each one is a call of `known` after corrections of its arguments, so that no other text is read
/// as a call. Empty if there is none.
std::vector<CallPart> calls_in_text(const std::string& text, std::span<const CallBranch> known);

}  // namespace pedro
