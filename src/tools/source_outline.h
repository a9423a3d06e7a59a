#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/language.h"
#include "tools/line_table.h"

namespace pedro {

/// Replaces ctags where it is not installed, by examining each line separately. Recognizes words
/// that begin a definition and, in C, C++, Java and scripts, the form of function heads. Misses
/// heads over several lines, and may be misled by comments.

/// Returns the name that `line` defines (a class, type, function, method, macro, ...), or nothing.
std::optional<std::string_view> defined_name(Language language, std::string_view line);

/// Returns the numbers of lines that define a name.
std::vector<std::size_t> definition_lines(Language language, const LineTable& table);

}  // namespace pedro
