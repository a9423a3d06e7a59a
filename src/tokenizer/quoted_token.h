#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Formats `bytes` for a message: quoted, on one line, printable, and truncated to 40 bytes.
std::string quoted_token(std::string_view bytes);

}  // namespace pedro
