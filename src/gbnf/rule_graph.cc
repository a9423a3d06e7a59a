#include "gbnf/rule_graph.h"

namespace pedro {

std::span<const Expr> children(const Expr& expr) {
  if (const auto* list = std::get_if<Sequence>(&expr.node)) return list->items;
  if (const auto* list = std::get_if<Alternation>(&expr.node)) return list->options;
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) return repeat->item;
  return {};
}

RuleGraph::RuleGraph(const Gbnf& grammar) : grammar_(&grammar) {
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    index_.emplace(grammar.rules[i].name, i);
  }
  references_.resize(grammar.rules.size());
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    collect(grammar.rules[i].expr, references_[i]);
  }
}

std::size_t RuleGraph::find(std::string_view name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? kNoRule : it->second;
}

void RuleGraph::collect(const Expr& expr, std::vector<std::size_t>& out) const {
  if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
    const std::size_t rule = find(ref->name);
    if (rule != kNoRule) out.push_back(rule);
  }
  for (const Expr& part : children(expr)) collect(part, out);
}

std::vector<bool> RuleGraph::reachable() const {
  std::vector<bool> seen(size(), false);
  std::vector<std::size_t> todo;
  const auto visit = [&](std::size_t rule) {
    if (rule == kNoRule || seen[rule]) return;
    seen[rule] = true;
    todo.push_back(rule);
  };
  visit(find("root"));
  while (!todo.empty()) {
    const std::size_t rule = todo.back();
    todo.pop_back();
    for (const std::size_t next : references_[rule]) visit(next);
  }
  return seen;
}

}  // namespace pedro
