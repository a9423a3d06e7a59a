#pragma once

#include "grammar/gbnf.h"

namespace pedro {

/// A grammar of the same language that a server has less work with:
/// - rules that root does not lead to are gone;
/// - a rule that is used once, or that is no more than a literal, a class, a token or a reference,
///   stands where its name stood, unless it is large or its copies together would be;
/// - alternations are tries (factor_options.h), neighbouring literals are one.
///
/// What is repeated keeps its rule's name unless that is a single symbol: a server multiplies the
/// symbols of what is repeated, but does not look behind names (RepetitionSite::cost). Where they
/// are too many all the same, what is repeated gets a rule of its own, RULE-item. Expressions nest
/// no deeper than kMaxExprDepth. The root comes first.
///
/// simplify(simplify(g)) is simplify(g). Requires that names are unique; one without a rule stays
/// as it is, and so does a grammar without a root.
Gbnf simplify(const Gbnf& grammar);

}  // namespace pedro
