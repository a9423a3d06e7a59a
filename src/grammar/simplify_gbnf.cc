#include "grammar/simplify_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "grammar/check_gbnf.h"
#include "grammar/factor_options.h"
#include "grammar/rule_graph.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxCost = kMaxRepetitionCost - 1;  // older servers refuse the most
constexpr std::size_t kMaxCopiedWeight = 16;                // of a rule with several uses
constexpr std::size_t kMaxCopiesWeight = 2000;              // of all copies of such a rule
constexpr std::size_t kMaxMovedWeight = 200;
constexpr int kMaxPasses = 32;

bool is_symbol(const Expr& expr) {
  return children(expr).empty();
}

// Approximates the memory of `expr`: nodes, ranges, and bytes of text divided by 8.
std::size_t weight(const Expr& expr) {
  std::size_t out = 1;
  if (const auto* text = std::get_if<Literal>(&expr.node)) out += text->bytes.size() / 8;
  if (const auto* set = std::get_if<CharClass>(&expr.node)) out += set->ranges.size();
  for (const Expr& part : children(expr)) out += weight(part);
  return out;
}

// Returns the number of symbols that llama.cpp creates for `expr`, as if every name were new.
std::uint64_t symbols_in(const Expr& expr) {
  std::uint64_t out = std::holds_alternative<RuleRef>(expr.node) ? 1 : 0;
  for (const Expr& part : children(expr)) {
    const bool grouped = std::holds_alternative<Sequence>(expr.node)
                             ? std::holds_alternative<Alternation>(part.node)
                             : std::holds_alternative<Repetition>(expr.node) && !is_symbol(part);
    out += symbols_in(part) + (grouped ? 1 : 0);
  }
  if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
    out += repeat->max ? static_cast<std::uint64_t>(*repeat->max - repeat->min) : 1;
  }
  return out;
}

// Returns an upper bound of RepetitionSite::cost.
std::uint64_t cost(const Expr& item, int min, std::optional<int> max) {
  const int count = max.value_or(std::max(min, 1));
  const std::uint64_t symbols = is_symbol(item) ? 1 : 1 + symbols_in(item);
  return symbols * static_cast<std::uint64_t>(count);
}

// Returns the reachable rules, each after the rules that it refers to (except in cycles).
std::vector<std::size_t> callees_first(const RuleGraph& graph) {
  struct Visit {
    std::size_t rule;
    std::size_t next;  // index of its next reference
  };
  std::vector<bool> seen(graph.size(), false);
  std::vector<std::size_t> out;
  std::vector<Visit> open;
  const auto enter = [&](std::size_t rule) {
    if (!seen[rule]) open.push_back(Visit{rule, 0});
    seen[rule] = true;
  };
  enter(graph.find("root"));
  while (!open.empty()) {
    Visit& visit = open.back();
    const auto& references = graph.references(visit.rule);
    if (visit.next < references.size()) {
      enter(references[visit.next++]);
    } else {
      out.push_back(visit.rule);
      open.pop_back();
    }
  }
  return out;
}

class Pass {
 public:
  explicit Pass(const Gbnf& grammar) : grammar_(grammar), graph_(grammar), done_(graph_.size()) {
    for (const Rule& rule : grammar.rules) names_.insert(rule.name);
  }

  Gbnf run() {
    const std::vector<std::size_t> order = callees_first(graph_);
    uses_.assign(graph_.size(), 0);
    for (const std::size_t rule : order) {
      for (const std::size_t used : graph_.references(rule)) ++uses_[used];
    }
    for (const std::size_t rule : order) finish(rule);
    return collected(order.back());
  }

 private:
  enum class Place { kOnce, kRepeated };

  struct Body {
    Expr expr;
    int height = 0;
    std::size_t weight = 0;
  };

  void finish(std::size_t rule) {
    rule_ = rule;
    Body body;
    body.expr = rewrite(grammar_.rules[rule].expr, 1, Place::kOnce);
    body.height = height(body.expr);
    body.weight = weight(body.expr);
    done_[rule] = std::move(body);
  }

  // `depth` is the level of `expr` in its rule.
  Expr rewrite(const Expr& expr, int depth, Place place) {
    if (const auto* ref = std::get_if<RuleRef>(&expr.node))
      return resolve(expr, *ref, depth, place);
    if (const auto* repeat = std::get_if<Repetition>(&expr.node)) return rewrite(*repeat, depth);
    std::vector<Expr> parts;
    for (const Expr& part : children(expr)) parts.push_back(rewrite(part, depth + 1, place));
    if (std::holds_alternative<Sequence>(expr.node)) return sequence(std::move(parts));
    if (!std::holds_alternative<Alternation>(expr.node)) return expr;
    return factor_options(std::move(parts), kMaxExprDepth - depth + 1);
  }

  Expr rewrite(const Repetition& repeat, int depth) {
    Expr item = rewrite(repeat.item.front(), depth + 1, Place::kRepeated);
    if (cost(item, repeat.min, repeat.max) > kMaxCost) item = behind_name(std::move(item));
    Expr out = repetition(std::move(item), repeat.min, repeat.max);
    if (auto* made = std::get_if<Repetition>(&out.node); made && made->at == 0)
      made->at = repeat.at;
    return out;
  }

  Expr resolve(const Expr& expr, const RuleRef& ref, int depth, Place place) {
    const std::size_t rule = graph_.find(ref.name);
    if (rule == RuleGraph::kNoRule || !done_[rule]) return expr;
    const Body& body = *done_[rule];
    if (graph_.find("root") == rule || !is_inlined(rule, body, place)) return expr;
    return depth + body.height - 1 > kMaxExprDepth ? expr : body.expr;
  }

  bool is_inlined(std::size_t rule, const Body& body, Place place) const {
    const bool symbol = is_symbol(body.expr);
    if (uses_[rule] == 1)
      return body.weight <= kMaxMovedWeight && (symbol || place == Place::kOnce);
    return symbol && body.weight <= kMaxCopiedWeight &&
           body.weight * uses_[rule] <= kMaxCopiesWeight;
  }

  Expr behind_name(Expr item) {
    const std::string stem = grammar_.rules[rule_].name + "-item";
    std::string name = stem;
    for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
    added_.push_back(Rule{name, std::move(item)});
    return rule_ref(name);
  }

  // Returns the rules that are still reachable, root first.
  Gbnf collected(std::size_t root) {
    Gbnf all;
    const auto add = [&](std::size_t rule) {
      if (done_[rule]) {
        all.rules.push_back(Rule{grammar_.rules[rule].name, std::move(done_[rule]->expr)});
      }
    };
    add(root);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (i != root) add(i);
    }
    std::move(added_.begin(), added_.end(), std::back_inserter(all.rules));
    const std::vector<bool> reachable = RuleGraph(all).reachable();
    Gbnf out;
    for (std::size_t i = 0; i < all.rules.size(); ++i) {
      if (reachable[i]) out.rules.push_back(std::move(all.rules[i]));
    }
    return out;
  }

  const Gbnf& grammar_;
  RuleGraph graph_;
  std::vector<std::optional<Body>> done_;
  std::vector<std::size_t> uses_;
  std::unordered_set<std::string> names_;
  std::vector<Rule> added_;
  std::size_t rule_ = 0;
};

}  // namespace

Gbnf simplify(const Gbnf& grammar) {
  Gbnf out = grammar;
  const bool has_root = std::any_of(out.rules.begin(), out.rules.end(),
                                    [](const Rule& rule) { return rule.name == "root"; });
  for (int i = 0; has_root && i < kMaxPasses; ++i) {
    Gbnf next = Pass(out).run();
    if (next == out) break;
    out = std::move(next);
  }
  return out;
}

}  // namespace pedro
