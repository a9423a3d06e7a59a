#include "gbnf/optional_chain.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxChoices = 16;
constexpr std::size_t kMaxDistance = 32;
constexpr std::size_t kChain = 3;
constexpr int kMaxHidden = 16;  // rule references to follow within an item

bool intersect(const CharRange& a, const CharRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Ranges do not touch, so no union of several ranges covers another range.
bool covers(const CharClass& set, const CharRange& range) {
  return std::any_of(set.ranges.begin(), set.ranges.end(), [&](const CharRange& other) {
    return other.first <= range.first && range.last <= other.last;
  });
}

bool overlap(const CharClass& a, const CharClass& b) {
  if (a.negated && b.negated) return true;
  if (a.negated) return overlap(b, a);
  return std::any_of(a.ranges.begin(), a.ranges.end(), [&](const CharRange& range) {
    if (b.negated) return !covers(b, range);
    return std::any_of(b.ranges.begin(), b.ranges.end(),
                       [&](const CharRange& other) { return intersect(range, other); });
  });
}

// Returns the first character of `text` as a class. Requires a non-empty text.
CharClass first_of(std::string_view text) {
  const std::string_view sequence = text.substr(0, utf8_sequence_length(text));
  const char32_t c = decode_utf8(sequence);
  return CharClass{{CharRange{c, c}}, false};
}

bool begins_alike(const Expr& a, const Expr& b) {
  if (a == b) return true;
  const auto* text = std::get_if<Literal>(&a.node);
  const auto* other_text = std::get_if<Literal>(&b.node);
  if (text && other_text) {
    return text->bytes.starts_with(other_text->bytes) || other_text->bytes.starts_with(text->bytes);
  }
  if (other_text) return begins_alike(b, a);
  const auto* other_set = std::get_if<CharClass>(&b.node);
  if (text) return other_set && overlap(first_of(text->bytes), *other_set);
  const auto* set = std::get_if<CharClass>(&a.node);
  if (set && other_set) return overlap(*set, *other_set);
  const auto* token = std::get_if<Token>(&a.node);
  const auto* other_token = std::get_if<Token>(&b.node);
  return token && other_token && (token->negated || other_token->negated);
}

// An optional item with its choices; `choices` is empty if the item is not a plain choice.
struct Optional {
  const Expr* item;
  std::vector<const Expr*> choices;
};

bool alike(const Optional& a, const Optional& b) {
  if (*a.item == *b.item) return true;
  return std::any_of(a.choices.begin(), a.choices.end(), [&](const Expr* choice) {
    return std::any_of(b.choices.begin(), b.choices.end(),
                       [&](const Expr* other) { return begins_alike(*choice, *other); });
  });
}

class ChainSearch {
 public:
  ChainSearch(const RuleGraph& graph, const Nullable& nullable)
      : graph_(graph), nullable_(nullable) {}

  std::vector<OptionalChain> run() {
    for (rule_ = 0; rule_ < graph_.size(); ++rule_) search(graph_.grammar().rules[rule_].expr);
    return std::move(chains_);
  }

 private:
  void search(const Expr& expr) {
    if (const auto* list = std::get_if<Sequence>(&expr.node)) search_runs(list->items);
    for (const Expr& part : children(expr)) search(part);
  }

  void search_runs(std::span<const Expr> items) {
    std::vector<Optional> run;
    for (const Expr& item : items) {
      if (nullable_(item)) {
        run.push_back(optional(item));
      } else {
        add_chain(run);
        run.clear();
      }
    }
    add_chain(run);
  }

  Optional optional(const Expr& item) const {
    Optional out{&item, {}};
    if (!add_choices(item, kMaxHidden, out.choices)) out.choices.clear();
    return out;
  }

  bool add_choices(const Expr& expr, int names, std::vector<const Expr*>& out) const {
    if (out.size() > kMaxChoices) return false;
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      const std::size_t rule = graph_.find(ref->name);
      if (rule == RuleGraph::kNoRule || names == 0) return false;
      return add_choices(graph_.grammar().rules[rule].expr, names - 1, out);
    }
    if (std::holds_alternative<Sequence>(expr.node)) return expr.is_empty();
    const auto parts = children(expr);
    if (parts.empty()) out.push_back(&expr);
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Expr& part) { return add_choices(part, names, out); });
  }

  void add_chain(const std::vector<Optional>& run) {
    for (std::size_t i = 0; i + kChain <= run.size(); ++i) {
      const auto from = run.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = run.end() - from > static_cast<std::ptrdiff_t>(kMaxDistance)
                          ? from + static_cast<std::ptrdiff_t>(kMaxDistance)
                          : run.end();
      const auto length = static_cast<std::size_t>(
          std::count_if(from, to, [&](const Optional& other) { return alike(*from, other); }));
      if (length < kChain) continue;
      chains_.push_back(OptionalChain{rule_, place(run), length});
      return;
    }
  }

  static std::size_t place(const std::vector<Optional>& run) {
    for (const Optional& optional : run) {
      const auto* repeat = std::get_if<Repetition>(&optional.item->node);
      if (repeat && repeat->at != 0) return repeat->at;
    }
    return 0;
  }

  const RuleGraph& graph_;
  const Nullable& nullable_;
  std::vector<OptionalChain> chains_;
  std::size_t rule_ = 0;
};

}  // namespace

std::vector<OptionalChain> optional_chains(const RuleGraph& graph, const Nullable& nullable) {
  return ChainSearch(graph, nullable).run();
}

}  // namespace pedro
