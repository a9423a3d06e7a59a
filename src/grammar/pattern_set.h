#pragma once

#include <string_view>

#include "base/result.h"
#include "grammar/text_set.h"

namespace pedro {

/// The texts in which `pattern` (see parse_regex) is found anywhere, as JSON Schema's keyword
/// "pattern" means it. Look-ahead is understood where it stands in no group that is repeated or
/// chosen between. Errors: those of parse_regex(); kConfig for look-ahead elsewhere; kLimit where
/// the automaton would be too large.
Result<TextSet> pattern_set(std::string_view pattern);

}  // namespace pedro
