#pragma once

#include <string>

namespace pedro {

/// True where a grammar has spoken about something in the JSON `text` that nobody sees in the
/// parsed value: of a member that is there twice only the last remains, and of a number of more
/// than 15 digits the nearest double. Such a text may be right and its value not valid.
bool lost_in_parsing(const std::string& text);

}  // namespace pedro
