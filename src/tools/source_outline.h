#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/language.h"
#include "tools/line_table.h"

namespace pedro {

/// What stands in for ctags where it is not installed: a look at each line by itself. It knows the
/// words that begin a definition and, in C, C++, Java and the scripts, what a function's head looks
/// like. It misses heads over several lines and may be fooled by comments.

/// The name that `line` defines (a class, type, function, method, macro …), or none.
std::optional<std::string_view> defined_name(Language language, std::string_view line);

/// The lines of a source text that define something.
std::vector<std::size_t> definition_lines(Language language, const LineTable& table);

}  // namespace pedro
