#pragma once

#include <vector>

#include "grammar/gbnf.h"

namespace pedro {

/// The number of levels in `expr`: 1 without parts, otherwise one more than its highest part.
int height(const Expr& expr);

/// Returns `alternation(options)` in the form of a trie. Options that begin with the same character
/// share the common beginning. The same applies to options that begin with the same non-literal
/// expression. The remainders are factored in the same way. "abc" | x | "abd" | "e" is "ab" ("c" |
/// "d") | x | "e". Takes time linear in the size of the options for each level of the trie.
///
/// Keeps options unchanged if factoring them would exceed `max_height`. Requires that the plain
/// alternation does not exceed it.
Expr factor_options(std::vector<Expr> options, int max_height);

}  // namespace pedro
