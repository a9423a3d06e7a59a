#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro::mcp {

/// Returns a server's text as one printable line of at most `max_bytes` and "…". It thus cannot
/// imitate the structure of a prompt.
std::string one_line(std::string_view text, std::size_t max_bytes);

}  // namespace pedro::mcp
