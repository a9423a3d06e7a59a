#include "grammar_facts.h"

#include <algorithm>
#include <limits>

#include "gbnf/nullable.h"
#include "gbnf/optional_chain.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : a * b;
}

// Returns the bytes of the highest code point in the set, which has the longest encoding.
std::uint64_t longest_in(const CharClass& set) {
  char32_t highest = 0x10FFFF;
  if (!set.negated) {
    highest = set.ranges.back().last;
  } else if (!set.ranges.empty() && set.ranges.back().last == highest) {
    highest = set.ranges.back().first - 1;
  }
  return highest < 0x80 ? 1 : highest < 0x800 ? 2 : highest < 0x10000 ? 3 : 4;
}

// Visits the rules that a text can use in postorder. Keeps an explicit stack: nesting can be as
// deep as the number of rules.
class TextSearch {
 public:
  explicit TextSearch(const Gbnf& grammar)
      : graph_(grammar), productive_(graph_), longest_(graph_.size(), 0), state_(graph_.size()) {}

  TextFacts run() {
    TextFacts facts;
    const std::size_t root = graph_.find("root");
    if (root == RuleGraph::kNoRule || !productive_(expr_of(root))) return facts;
    facts.any = true;
    enter(root);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next == top.references.size()) {
        leave();
        continue;
      }
      const std::size_t rule = top.references[top.next++];
      if (state_[rule] == State::kNew) {
        enter(rule);
      } else if (state_[rule] == State::kOpen && facts.cycle.empty()) {
        facts.cycle = path_from(rule);
      }
    }
    if (!endless_ && facts.cycle.empty()) facts.longest = longest_[root];
    return facts;
  }

 private:
  enum class State { kNew, kOpen, kDone };
  struct Open {
    std::size_t rule = 0;
    std::vector<std::size_t> references;
    std::size_t next = 0;
  };

  const Expr& expr_of(std::size_t rule) const { return graph_.grammar().rules[rule].expr; }

  void enter(std::size_t rule) {
    state_[rule] = State::kOpen;
    open_.push_back(Open{rule, {}, 0});
    collect(expr_of(rule), open_.back().references);
  }

  void leave() {
    const std::size_t rule = open_.back().rule;
    longest_[rule] = longest(expr_of(rule));
    state_[rule] = State::kDone;
    open_.pop_back();
  }

  // Collects the rules that a text of `expr` can use.
  void collect(const Expr& expr, std::vector<std::size_t>& out) {
    if (!productive_(expr)) return;
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) out.push_back(graph_.find(ref->name));
    const auto* repeat = std::get_if<Repetition>(&expr.node);
    if (repeat && !repeat->max && productive_(repeat->item.front())) endless_ = true;
    for (const Expr& part : children(expr)) collect(part, out);
  }

  // Computes the length for acyclic rules. The result is meaningless for cycles, which have no
  // longest text.
  std::uint64_t longest(const Expr& expr) const {
    if (!productive_(expr)) return 0;
    std::uint64_t bytes = 0;
    if (const auto* text = std::get_if<Literal>(&expr.node)) return text->bytes.size();
    if (const auto* set = std::get_if<CharClass>(&expr.node)) return longest_in(*set);
    if (const auto* token = std::get_if<Token>(&expr.node)) return token->text.size();
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) return longest_[graph_.find(ref->name)];
    if (const auto* repeat = std::get_if<Repetition>(&expr.node)) {
      return product(longest(repeat->item.front()),
                     static_cast<std::uint64_t>(repeat->max.value_or(1)));
    }
    const bool list = std::holds_alternative<Sequence>(expr.node);
    for (const Expr& part : children(expr)) {
      bytes = list ? sum(bytes, longest(part)) : std::max(bytes, longest(part));
    }
    return bytes;
  }

  std::vector<std::string> path_from(std::size_t rule) const {
    std::vector<std::string> path;
    for (const Open& open : open_) {
      if (open.rule == rule || !path.empty())
        path.push_back(graph_.grammar().rules[open.rule].name);
    }
    return path;
  }

  RuleGraph graph_;
  Productive productive_;
  std::vector<std::uint64_t> longest_;
  std::vector<State> state_;
  std::vector<Open> open_;
  bool endless_ = false;
};

std::size_t nesting(const Expr& expr) {
  std::size_t deepest = 0;
  for (const Expr& part : children(expr)) deepest = std::max(deepest, nesting(part));
  return deepest + 1;
}

// Returns the first rule with the highest amount.
template <typename Measure>
RuleFact top_rule(const Gbnf& grammar, Measure measure) {
  RuleFact top;
  for (const Rule& rule : grammar.rules) {
    const std::size_t amount = measure(rule);
    if (amount > top.amount) top = RuleFact{rule.name, amount};
  }
  return top;
}

}  // namespace

TextFacts text_facts(const Gbnf& grammar) {
  return TextSearch(grammar).run();
}

RuleFact longest_rule(const Gbnf& grammar) {
  return top_rule(grammar, [](const Rule& rule) {
    return rule.name.size() + std::string_view(" ::= ").size() + print(rule.expr).size();
  });
}

RuleFact deepest_rule(const Gbnf& grammar) {
  return top_rule(grammar, [](const Rule& rule) { return nesting(rule.expr); });
}

RuleFact longest_chain(const RuleGraph& graph) {
  RuleFact top;
  for (const OptionalChain& chain : optional_chains(graph, Nullable(graph))) {
    if (chain.length > top.amount) {
      top = RuleFact{graph.grammar().rules[chain.rule].name, chain.length};
    }
  }
  return top;
}

}  // namespace pedro
