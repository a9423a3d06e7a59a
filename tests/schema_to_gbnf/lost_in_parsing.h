#pragma once

#include <string>

namespace pedro {

/// Returns true if JSON parsing drops a part of `text` that a grammar matches. Of duplicate members
/// only the last one remains, and a number of more than 15 digits becomes the nearest double. Such
/// a text may match although its parsed value is invalid.
bool lost_in_parsing(const std::string& text);

}  // namespace pedro
