#include "gbnf/left_recursion.h"

#include <fmt/format.h>

#include <algorithm>

namespace pedro {
namespace {

// Appends the rules that can be entered before `expr` has consumed input.
void collect_first(const Expr& expr, const RuleGraph& graph, const Nullable& nullable,
                   std::vector<std::size_t>& out) {
  if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
    const std::size_t rule = graph.find(ref->name);
    if (rule != RuleGraph::kNoRule) out.push_back(rule);
  }
  for (const Expr& part : children(expr)) {
    collect_first(part, graph, nullable, out);
    if (std::holds_alternative<Sequence>(expr.node) && !nullable(part)) return;
  }
}

// Kahn's algorithm: removes rules that no remaining rule enters first; the rest contains cycles.
// Also removes each cycle that it finds, then repeats.
class FirstGraph {
 public:
  FirstGraph(const RuleGraph& graph, const Nullable& nullable)
      : grammar_(graph.grammar()), first_(graph.size()), entered_(graph.size(), 0) {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      collect_first(grammar_.rules[i].expr, graph, nullable, first_[i]);
      for (const std::size_t rule : first_[i]) ++entered_[rule];
    }
    for (std::size_t i = 0; i < first_.size(); ++i) {
      if (entered_[i] == 0) free_.push_back(i);
    }
  }

  std::vector<LeftCycle> cycles(std::size_t max_count) {
    std::vector<LeftCycle> out;
    for (;;) {
      take_away();
      if (free_.size() == first_.size() || out.size() == max_count) return out;
      std::vector<std::size_t> rules = cycle();
      LeftCycle names;
      for (const std::size_t rule : rules) {
        names.push_back(grammar_.rules[rule].name);
        entered_[rule] = 0;
      }
      free_.insert(free_.end(), rules.begin(), rules.end());
      out.push_back(std::move(names));
    }
  }

 private:
  void take_away() {
    for (; done_ < free_.size(); ++done_) {
      for (const std::size_t rule : first_[free_[done_]]) {
        if (entered_[rule] > 0 && --entered_[rule] == 0) free_.push_back(rule);
      }
    }
  }

  // Returns a cycle among the rules with `entered_` > 0. Each of them is entered from another one,
  // so following the edges backwards from any of them reaches a cycle.
  std::vector<std::size_t> cycle() const {
    std::vector<std::size_t> from(first_.size(), first_.size());
    for (std::size_t i = first_.size(); i-- > 0;) {
      if (entered_[i] == 0) continue;
      for (const std::size_t rule : first_[i]) from[rule] = i;
    }
    std::size_t at = 0;
    while (entered_[at] == 0) ++at;
    for (std::size_t i = 0; i < first_.size(); ++i) at = from[at];
    std::vector<std::size_t> out;
    for (std::size_t step = from[at]; step != at; step = from[step]) out.push_back(step);
    out.push_back(at);
    std::reverse(out.begin(), out.end());
    return out;
  }

  const Gbnf& grammar_;
  std::vector<std::vector<std::size_t>> first_;
  std::vector<std::size_t> entered_;
  std::vector<std::size_t> free_;
  std::size_t done_ = 0;
};

void collect_endless(const Expr& expr, std::size_t rule, const Nullable& nullable,
                     std::vector<EndlessNothing>& out) {
  const auto* repeat = std::get_if<Repetition>(&expr.node);
  if (repeat && !repeat->max && nullable(repeat->item.front())) {
    out.push_back(EndlessNothing{rule, repeat});
  }
  for (const Expr& part : children(expr)) collect_endless(part, rule, nullable, out);
}

}  // namespace

std::vector<LeftCycle> left_recursions(const RuleGraph& graph, const Nullable& nullable,
                                       std::size_t max_count) {
  return FirstGraph(graph, nullable).cycles(max_count);
}

std::string to_text(const LeftCycle& cycle) {
  constexpr std::size_t kShown = 7;  // after the first
  const std::size_t begin = cycle.size() > kShown + 1 ? cycle.size() - kShown : 1;
  std::string out(cycle.front());
  if (begin > 1) out += " -> ...";
  for (std::size_t i = begin; i < cycle.size(); ++i) out += fmt::format(" -> {}", cycle[i]);
  return out + fmt::format(" -> {}", cycle.front());
}

std::vector<EndlessNothing> endless_nothings(const Gbnf& grammar, const Nullable& nullable) {
  std::vector<EndlessNothing> out;
  for (std::size_t i = 0; i < grammar.rules.size(); ++i) {
    collect_endless(grammar.rules[i].expr, i, nullable, out);
  }
  return out;
}

Status check_left_recursion(const Gbnf& grammar) {
  const RuleGraph graph(grammar);
  const Nullable nullable(graph);
  const auto endless = endless_nothings(grammar, nullable);
  if (!endless.empty()) {
    return Error{ErrorKind::kConfig, fmt::format("rule '{}' repeats an empty item without limit",
                                                 grammar.rules[endless.front().rule].name)};
  }
  const auto cycles = left_recursions(graph, nullable, 1);
  if (cycles.empty()) return {};
  return Error{ErrorKind::kConfig, fmt::format("left recursion: {}", to_text(cycles.front()))};
}

}  // namespace pedro
