#pragma once

#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// One for `expr` without parts, else one more than the highest part.
int height(const Expr& expr);

/// As `alternation`, as a trie: of options that begin with the same character, or with the same
/// expression where that is no literal, the common beginning is written once, and so on within what
/// follows it. "abc" | x | "abd" | "e" is "ab" ("c" | "d") | x | "e". Takes time linear in the size
/// of the options for each level of the trie.
///
/// Where the result would be higher than `max_height` options stay as they are. Requires that the
/// plain alternation is not.
Expr factor_options(std::vector<Expr> options, int max_height);

}  // namespace pedro
