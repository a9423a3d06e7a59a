#pragma once

#include <optional>
#include <string>

#include "grammar/gbnf.h"

namespace pedro {

/// A text of the grammar than which none is shorter (in characters written by rules; which one of
/// them is the same each time). Nothing where it has none at all: every text would be endless, or a
/// token without a text is needed. O(rules squared), for tests.
std::optional<std::string> shortest_text(const Gbnf& grammar);

}  // namespace pedro
