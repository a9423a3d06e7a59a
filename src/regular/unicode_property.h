#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gbnf/gbnf.h"

namespace pedro {

/// Returns the code points of a property as in `\p{...}`, sorted and disjoint: a general category
/// ("Lu", "Letter", "gc=Lu") or a script ("Greek", "Script=Greek"). Returns nullopt for any other
/// name. Results are cached; thread-safe.
std::optional<std::vector<CharRange>> unicode_property(std::string_view name);

}  // namespace pedro
