#pragma once

#include <cstddef>
#include <vector>

#include "grammar/rule_graph.h"

namespace pedro {

/// Blanks (space, \t, \n, \v, \f, \r) of which there may be any number: a model that has nothing
/// better to say writes them until its tokens are used up.
struct EndlessBlank {
  std::size_t rule = 0;  ///< its number
  std::size_t at = 0;    ///< Repetition::at, or 0 where the rule comes back to itself instead
};

/// Those that root leads to: repetitions without end of what matches nothing but blanks, as in
/// `[ \t\n]*`, and rules that match nothing but blanks and come back to themselves, as in
/// `ws ::= ([ \n] ws)?`.
std::vector<EndlessBlank> endless_blanks(const RuleGraph& graph);

}  // namespace pedro
