#pragma once

#include <vector>

#include "grammar/rule_graph.h"

namespace pedro {

/// Which expressions of a grammar may be the empty text, in whatever form that is written and
/// through whatever rules. A name without a rule may not, nor may a token. Takes time linear in the
/// size of the grammar. Borrows the graph.
class Nullable {
 public:
  explicit Nullable(const RuleGraph& graph);

  bool operator()(const Expr& expr) const;

 private:
  const RuleGraph& graph_;
  std::vector<bool> rules_;
};

}  // namespace pedro
