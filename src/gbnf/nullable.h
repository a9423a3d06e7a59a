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
