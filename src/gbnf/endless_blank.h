#pragma once

#include <cstddef>
#include <vector>

#include "gbnf/rule_graph.h"

namespace pedro {

/// An unbounded run of blanks (space, \t, \n, \v, \f, \r). A model without a better continuation
/// writes blanks until its token limit.
struct EndlessBlank {
  std::size_t rule = 0;  ///< index of the rule
  std::size_t at = 0;    ///< Repetition::at, or 0 if the rule itself is recursive
};

/// Finds the unbounded blanks that are reachable from root. These are repetitions of blanks, like
/// `[ \t\n]*`, and recursive rules of blanks, like `ws ::= ([ \n] ws)?`.
std::vector<EndlessBlank> endless_blanks(const RuleGraph& graph);

}  // namespace pedro
