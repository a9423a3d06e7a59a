#include "gbnf/nullable.h"

#include <algorithm>

namespace pedro {
namespace {

// Counts the parts of every expression that must still get the property. These are all for a
// sequence, one for an alternation, the rule for a reference. An expression whose count reaches
// zero has the property and notifies its parent.
class Propagation {
 public:
  Propagation(const RuleGraph& graph, BottomUp::Leaf leaf)
      : graph_(graph), leaf_(leaf), holds_(graph.size(), false), waiting_(graph.size()) {
    for (const Rule& rule : graph.grammar().rules) {
      roots_.push_back(nodes_.size());
      add(rule.expr, nodes_.size());
    }
  }

  std::vector<bool> run() {
    while (!ready_.empty()) {
      const std::size_t node = ready_.back();
      ready_.pop_back();
      if (nodes_[node].parent != node) {
        settle(nodes_[node].parent);
        continue;
      }
      const auto rule = static_cast<std::size_t>(
          std::lower_bound(roots_.begin(), roots_.end(), node) - roots_.begin());
      holds_[rule] = true;
      for (const std::size_t reference : waiting_[rule]) settle(reference);
    }
    return std::move(holds_);
  }

 private:
  struct Node {
    std::size_t parent;  // itself if it is the root of a rule
    std::size_t needs;
  };

  void add(const Expr& expr, std::size_t parent) {
    const std::size_t node = nodes_.size();
    nodes_.push_back(Node{parent, needs(expr)});
    if (nodes_.back().needs == 0) ready_.push_back(node);
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      const std::size_t rule = graph_.find(ref->name);
      if (rule != RuleGraph::kNoRule) waiting_[rule].push_back(node);
    }
    for (const Expr& part : children(expr)) add(part, node);
  }

  std::size_t needs(const Expr& expr) const {
    if (const auto* list = std::get_if<Sequence>(&expr.node)) return list->items.size();
    if (const auto* repeat = std::get_if<Repetition>(&expr.node)) return repeat->min == 0 ? 0 : 1;
    const bool inner = std::holds_alternative<Alternation>(expr.node) ||
                       std::holds_alternative<RuleRef>(expr.node);
    return !inner && leaf_(expr) ? 0 : 1;
  }

  void settle(std::size_t node) {
    if (nodes_[node].needs > 0 && --nodes_[node].needs == 0) ready_.push_back(node);
  }

  const RuleGraph& graph_;
  const BottomUp::Leaf leaf_;
  std::vector<bool> holds_;
  std::vector<std::vector<std::size_t>> waiting_;
  std::vector<std::size_t> roots_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> ready_;
};

bool is_empty_literal(const Expr& expr) {
  const auto* text = std::get_if<Literal>(&expr.node);
  return text && text->bytes.empty();
}

bool takes_something(const Expr& expr) {
  const auto* set = std::get_if<CharClass>(&expr.node);
  return !set || set->negated || !set->ranges.empty();
}

}  // namespace

BottomUp::BottomUp(const RuleGraph& graph, Leaf leaf)
    : graph_(graph), leaf_(leaf), rules_(Propagation(graph, leaf).run()) {}

bool BottomUp::operator()(const Expr& expr) const {
  const auto holds = [this](const Expr& part) { return (*this)(part); };
  const auto parts = children(expr);
  if (std::holds_alternative<Sequence>(expr.node)) {
    return std::all_of(parts.begin(), parts.end(), holds);
  }
  if (std::holds_alternative<Alternation>(expr.node)) {
    return std::any_of(parts.begin(), parts.end(), holds);
  }
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    return repeat->min == 0 || (*this)(repeat->item.front());
  }
  if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
    const std::size_t rule = graph_.find(ref->name);
    return rule != RuleGraph::kNoRule && rules_[rule];
  }
  return leaf_(expr);
}

Nullable::Nullable(const RuleGraph& graph) : BottomUp(graph, is_empty_literal) {}

Productive::Productive(const RuleGraph& graph) : BottomUp(graph, takes_something) {}

bool matches_nothing(const Gbnf& grammar) {
  return !Productive(RuleGraph(grammar))(rule_ref("root"));
}

}  // namespace pedro
