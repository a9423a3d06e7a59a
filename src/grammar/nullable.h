#pragma once

#include "grammar/bottom_up.h"

namespace pedro {

/// Which expressions of a grammar may be the empty text, in whatever form that is written and
/// through whatever rules. A name without a rule may not, nor may a token. Takes time linear in the
/// size of the grammar. Borrows the graph.
class Nullable : public BottomUp {
 public:
  explicit Nullable(const RuleGraph& graph);
};

/// Which expressions match any text at all. A name without a rule does not, a token does. Takes
/// time linear in the size of the grammar. Borrows the graph.
class Productive : public BottomUp {
 public:
  explicit Productive(const RuleGraph& graph);
};

/// There is no text that the grammar matches.
bool matches_nothing(const Gbnf& grammar);

}  // namespace pedro
