#pragma once

#include "gbnf/bottom_up.h"

namespace pedro {

/// Determines the expressions of a grammar that may match the empty text, directly or through
/// rules. Undefined rules and tokens may not. Takes time linear in the size of the grammar. Borrows
/// the graph.
class Nullable : public BottomUp {
 public:
  explicit Nullable(const RuleGraph& graph);
};

/// Determines the expressions that match at least one text. An undefined rule does not, a token
/// does. Takes time linear in the size of the grammar. Borrows the graph.
class Productive : public BottomUp {
 public:
  explicit Productive(const RuleGraph& graph);
};

/// Returns true if the grammar matches no text.
bool matches_nothing(const Gbnf& grammar);

}  // namespace pedro
