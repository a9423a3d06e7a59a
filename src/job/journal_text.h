#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace pedro {

/// Returns a journal event as printable text for the user, with its time (UTC) and a newline.
/// Returns "" for events without new information: starts that a later end repeats, texts of
/// replies, checkpoints, unknown types. The first line of a failed call's result follows the call.
/// Truncates each text to 300 bytes.
std::string journal_text(const Json& event);

/// Returns a call in one line: "file replace path="a.txt"". It may contain arbitrary bytes.
std::string call_text(std::string_view tool, const Json& args);

}  // namespace pedro
