#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Appends the bytes that `text` stands for in base64 (RFC 4648, section 4, with its padding).
/// False where it is not base64, to the letter: another character, a missing or a needless '=',
/// bits behind the last byte that are not 0. `out` then has a part of the bytes.
bool append_base64(std::string& out, std::string_view text);

/// The same of `bytes`, with its padding.
std::string to_base64(std::string_view bytes);

}  // namespace pedro
