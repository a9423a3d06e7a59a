#include "gbnf/nullable.h"

namespace pedro {
namespace {

bool is_empty_literal(const Expr& expr) {
  const auto* text = std::get_if<Literal>(&expr.node);
  return text && text->bytes.empty();
}

bool takes_something(const Expr& expr) {
  const auto* set = std::get_if<CharClass>(&expr.node);
  return !set || set->negated || !set->ranges.empty();
}

}  // namespace

Nullable::Nullable(const RuleGraph& graph) : BottomUp(graph, is_empty_literal) {}

Productive::Productive(const RuleGraph& graph) : BottomUp(graph, takes_something) {}

bool matches_nothing(const Gbnf& grammar) {
  return !Productive(RuleGraph(grammar))(rule_ref("root"));
}

}  // namespace pedro
