#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Formats `bytes` for a message: quoted, on one line, printable, and truncated to 40 bytes.
std::string quoted_token(std::string_view bytes);

/// Formats a token's bytes as a JSON string, printable and on one line. Bytes that are not UTF-8
/// become \xNN: a token may be a part of a character.
std::string shown_token(std::string_view bytes);

}  // namespace pedro
