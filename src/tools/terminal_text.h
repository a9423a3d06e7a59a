#pragma once

#include <string>
#include <string_view>

namespace pedro {

/// Returns the columns of a text without control characters on a terminal: two for wide characters,
/// none for combining ones.
int columns_of(std::string_view text);

/// Returns `text` as one printable line of at most `columns` (at least 1). A longer line is cut and
/// ends with "…".
std::string fit_columns(std::string_view text, int columns);

}  // namespace pedro
