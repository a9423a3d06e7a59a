#pragma once

#include <optional>
#include <string>

#include "gbnf/gbnf.h"

namespace pedro {

/// A shortest text of the grammar, in characters written by rules. Equal grammars give equal texts.
/// Returns nothing if the grammar has no finite text, or only texts with tokens of unknown text.
/// O(rules squared), for tests.
std::optional<std::string> shortest_text(const Gbnf& grammar);

}  // namespace pedro
