#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// `bytes` for a message: in quotes, on one line, printable, and cut where it is long.
std::string quoted_token(std::string_view bytes);

}  // namespace pedro
