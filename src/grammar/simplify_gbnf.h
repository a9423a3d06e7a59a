#pragma once

#include "grammar/gbnf.h"

namespace pedro {

/// Returns a grammar of the same language that costs a server less work:
/// - removes rules that are unreachable from root;
/// - inlines rules that are used once or are a single symbol, unless they or their copies are too
///   large;
/// - converts alternations to tries (factor_options.h) and joins adjacent literals.
///
/// A repeated item keeps its rule unless it is a single symbol. A server multiplies the symbols of
/// a repeated item, but counts a rule's name as one symbol (RepetitionSite::cost). If there are
/// still too many symbols, the item gets a new rule, RULE-item. Expressions nest no deeper than
/// kMaxExprDepth. The root comes first.
///
/// simplify(simplify(g)) is simplify(g). Requires unique rule names. References to undefined rules
/// and grammars without a root remain unchanged.
Gbnf simplify(const Gbnf& grammar);

}  // namespace pedro
