#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// A token's bytes as a JSON string, printable, on one line; bytes that are no UTF-8, for a token
/// may be a part of a character, as \xNN.
std::string shown_token(std::string_view bytes);

}  // namespace pedro
