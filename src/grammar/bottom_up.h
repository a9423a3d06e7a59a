#pragma once

#include <vector>

#include "grammar/rule_graph.h"

namespace pedro {

/// A property that expressions have from their parts: a sequence where all its items have it, an
/// alternation where one of its options has, a repetition where it may be left out or what is
/// repeated has, a reference where its rule has; a name without a rule never has. Takes time linear
/// in the size of the grammar. Borrows the graph.
class BottomUp {
 public:
  /// Says it of a literal, a class or a token.
  using Leaf = bool (*)(const Expr&);

  BottomUp(const RuleGraph& graph, Leaf leaf);

  bool operator()(const Expr& expr) const;

 private:
  const RuleGraph& graph_;
  Leaf leaf_;
  std::vector<bool> rules_;
};

}  // namespace pedro
