#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Breaks a paragraph at its blanks into lines of at most `columns` bytes. Indents all lines but
/// the first by `indent` blanks. A longer word gets a line of its own. No line end at the end.
std::string wrap_text(std::string_view paragraph, std::size_t columns, std::size_t indent = 0);

}  // namespace pedro
