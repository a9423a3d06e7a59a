#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Formats a token's bytes as a JSON string, printable and on one line. Bytes that are not UTF-8
/// become \xNN: a token may be a part of a character.
std::string shown_token(std::string_view bytes);

}  // namespace pedro
