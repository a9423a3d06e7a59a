#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "byte_set_text.h"
#include "command.h"
#include "gbnf/check_gbnf.h"
#include "gbnf/gbnf.h"
#include "gbnf/match.h"
#include "gbnf/nullable.h"
#include "gbnf/optional_chain.h"
#include "gbnf/rule_graph.h"
#include "gbnf/source_excerpt.h"
#include "grammar_command.h"

namespace pedro {
namespace {

// Static properties of the texts that a grammar matches.
struct TextFacts {
  bool any = false;  // at least one text matches
  // Length of the longest text in bytes, saturated; nullopt if it is unbounded.
  std::optional<std::uint64_t> longest;
  // A cycle of rules that a text can use; empty if there is none.
  std::vector<std::string> cycle;
};

// A rule and a measured amount.
struct RuleFact {
  std::string rule;
  std::size_t amount = 0;
};

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

// Requires a grammar without check_gbnf errors, whose tokens are given by their texts.
TextFacts text_facts(const Gbnf& grammar) {
  return TextSearch(grammar).run();
}

// Returns the rule with the longest line in the format of print(). The amount is that line's size
// in bytes without the line end.
RuleFact longest_rule(const Gbnf& grammar) {
  return top_rule(grammar, [](const Rule& rule) {
    return rule.name.size() + std::string_view(" ::= ").size() + print(rule.expr).size();
  });
}

// Returns the deepest nesting in a rule: 1 for a literal or a name, 2 for a list of these.
RuleFact deepest_rule(const Gbnf& grammar) {
  return top_rule(grammar, [](const Rule& rule) { return nesting(rule.expr); });
}

// Returns the longest run of consecutive equal optional items (optional_chain.h); 0 if there is
// none.
RuleFact longest_chain(const RuleGraph& graph) {
  RuleFact top;
  for (const OptionalChain& chain : optional_chains(graph, Nullable(graph))) {
    if (chain.length > top.amount) {
      top = RuleFact{graph.grammar().rules[chain.rule].name, chain.length};
    }
  }
  return top;
}

constexpr std::size_t kShownLineBytes = 70;

// A row: its key in JSON, its label, its value and the value's text.
struct Explained {
  const char* key;
  const char* label;
  Json value;
  std::string text;
};

std::string shown(std::string_view text) {
  const std::string_view head = truncate_utf8(text, kShownLineBytes);
  return head.size() < text.size() ? std::string(head) + "..." : std::string(text);
}

class Explainer {
 public:
  explicit Explainer(const ParsedGbnf& parsed) : parsed_(parsed), graph_(parsed.grammar) {}

  std::vector<Explained> run() {
    tell_size();
    tell_rules();
    tell_repetition();
    tell_texts();
    return std::move(rows_);
  }

 private:
  void add(const char* key, const char* label, Json value, std::string text) {
    rows_.push_back({key, label, std::move(value), std::move(text)});
  }

  void tell_size() {
    const std::size_t bytes = print(parsed_.grammar).size();
    add("rules", "rules", graph_.size(), std::to_string(graph_.size()));
    add("bytes", "bytes", bytes, fmt::format("{}, without comments and layout", bytes));
    const std::vector<bool> reachable = graph_.reachable();
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!reachable[i]) unused.push_back(parsed_.grammar.rules[i].name);
    }
    if (unused.empty()) return;
    add("unreachable", "unused", unused,
        fmt::format("{}: {}", unused.size(), join_within(unused, kShownLineBytes)));
  }

  void add_rule(const char* key, const char* label, const RuleFact& fact, std::string_view what) {
    if (fact.amount == 0) return;
    add(key, label, {{"rule", fact.rule}, {"amount", fact.amount}},
        fmt::format("{}: {} {}", shown(fact.rule), fact.amount, what));
  }

  void tell_rules() {
    add_rule("longest_rule", "longest rule", longest_rule(parsed_.grammar), "bytes");
    add_rule("deepest_rule", "deepest rule", deepest_rule(parsed_.grammar), "deep");
    add_rule("optional_chain", "ambiguous", longest_chain(graph_),
             "equal optional items in a row; each doubles a server's time");
  }

  void tell_repetition() {
    const auto& sites = parsed_.repetitions;
    const auto top = std::max_element(sites.begin(), sites.end(), [](const auto& a, const auto& b) {
      return a.cost() < b.cost();
    });
    if (top == sites.end() || top->cost() <= 1) return;
    const LineColumn place = line_column(parsed_.source, top->offset);
    add("repetition", "repetition",
        {{"symbols", top->cost()}, {"line", place.line}, {"column", place.column}},
        fmt::format("{} symbols of the {} that a server allows, at {}:{}", top->cost(),
                    kMaxRepetitionCost, place.line, place.column));
  }

  // Requires a grammar that can be compiled.
  void tell_texts() {
    const GbnfReport report = check_gbnf(parsed_);
    if (report.has_errors()) {
      add("errors", "errors", true, "a server refuses it or hangs; see `pedrocli grammar check`");
      return;
    }
    const Result<Matcher> matcher = Matcher::compile(parsed_.grammar);
    if (!matcher) {
      add("not_followed", "texts", matcher.error().message, matcher.error().message);
      return;
    }
    tell_recursion();
    const std::vector<std::string> first = describe_bytes(matcher->next_bytes());
    add("first_bytes", "first bytes", matcher->next_bytes().count(),
        fmt::format("{}: {}", matcher->next_bytes().count(), join_within(first, kShownLineBytes)));
    const std::string forced = matcher->forced();
    if (forced.empty()) return;
    add("begins_with", "begins with", forced, shown(to_line(Json(forced))));
  }

  void tell_recursion() {
    const TextFacts facts = text_facts(parsed_.grammar);
    if (!facts.cycle.empty()) {
      std::vector<std::string> path = facts.cycle;
      path.push_back(path.front());
      add("recursion", "recursion", facts.cycle, shown(join(path, " -> ")));
    }
    if (!facts.any) {
      add("longest_text", "texts", -1, "none: nothing matches");
    } else if (facts.longest) {
      add("longest_text", "texts", *facts.longest, fmt::format("{} bytes at most", *facts.longest));
    } else {
      add("longest_text", "texts", nullptr, "of unlimited length");
    }
  }

  const ParsedGbnf& parsed_;
  RuleGraph graph_;
  std::vector<Explained> rows_;
};

Result<int> explain_grammar(CommandContext& context, const std::string& file) {
  PEDRO_TRY(const TextInput input, read_input(context, file, kMaxGbnfBytes));
  PEDRO_TRY(const ParsedGbnf parsed, parse_gbnf(input.text, input.name));
  const std::vector<Explained> rows = Explainer(parsed).run();
  if (context.global.json) {
    Json all = Json::object();
    for (const Explained& row : rows) all[row.key] = row.value;
    print_json(all);
    return kExitDone;
  }
  for (const Explained& row : rows) {
    print(make_printable(fmt::format("{:<13} {}\n", row.label, row.text)));
  }
  return kExitDone;
}

}  // namespace

CommandFunction add_grammar_explain(CLI::App& command) {
  auto file = std::make_shared<std::string>();
  command.add_option("file", *file, "A grammar in GBNF, or -")->required();
  return running(explain_grammar, file);
}

}  // namespace pedro
