#pragma once

#include <vector>

#include "gbnf/rule_graph.h"

namespace pedro {

/// A property that expressions derive from their parts. A sequence has it if all its items have it.
/// An alternation has it if one of its options has it. A repetition has it if its minimum is 0 or
/// its item has it. A reference has it if its rule has it; an undefined rule never has it. Takes
/// time linear in the size of the grammar. Borrows the graph.
class BottomUp {
 public:
  /// Returns true if a literal, a class or a token has the property.
  using Leaf = bool (*)(const Expr&);

  BottomUp(const RuleGraph& graph, Leaf leaf);

  bool operator()(const Expr& expr) const;

 private:
  const RuleGraph& graph_;
  Leaf leaf_;
  std::vector<bool> rules_;
};

}  // namespace pedro
