#pragma once

#include <string_view>

#include "tools/language.h"

namespace pedro {

/// Returns true if `word` occurs as a whole word in the code of `line`, outside of comments and
/// quoted texts. Examines the line alone, so a comment or a text of several lines may count as
/// code. In an unknown language, the whole line is code.
bool is_in_code(Language language, std::string_view line, std::string_view word);

}  // namespace pedro
