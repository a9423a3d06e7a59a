#pragma once

#include <string_view>

#include "base/result.h"
#include "regular/text_set.h"

namespace pedro {

/// The texts that contain a match of `pattern` (see parse_regex) anywhere, as in JSON Schema's
/// "pattern". Supports look-ahead outside of repeated groups and groups of alternatives. Errors:
/// those of parse_regex(); kConfig for look-ahead elsewhere, for '$' before a look-ahead and '^'
/// after one; kLimit if the automaton would be too large.
/// Charges `budget` unless it is null.
Result<TextSet> pattern_set(std::string_view pattern, SchemaBudget* budget = nullptr);

}  // namespace pedro
