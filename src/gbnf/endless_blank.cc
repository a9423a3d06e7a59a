#include "gbnf/endless_blank.h"

#include <algorithm>
#include <string_view>

namespace pedro {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool is_blank(const CharRange& range) {
  return (range.first >= '\t' && range.last <= '\r') || (range.first == ' ' && range.last == ' ');
}

// Returns true if the node `expr`, without its parts, matches only blanks.
bool is_blank_itself(const Expr& expr) {
  if (const auto* text = std::get_if<Literal>(&expr.node)) {
    return text->bytes.find_first_not_of(kBlanks) == std::string::npos;
  }
  if (const auto* set = std::get_if<CharClass>(&expr.node)) {
    return !set->negated && std::all_of(set->ranges.begin(), set->ranges.end(), is_blank);
  }
  return !std::holds_alternative<Token>(expr.node);
}

class BlankSearch {
 public:
  explicit BlankSearch(const RuleGraph& graph)
      : graph_(graph), blank_(graph.size(), true), referring_(graph.size()) {
    find_blank_rules();
  }

  std::vector<EndlessBlank> run() {
    const std::vector<bool> reachable = graph_.reachable();
    const std::vector<bool> recursive = recursive_blanks();
    for (rule_ = 0; rule_ < graph_.size(); ++rule_) {
      if (!reachable[rule_]) continue;
      if (recursive[rule_]) out_.push_back(EndlessBlank{rule_, 0});
      search(graph_.grammar().rules[rule_].expr);
    }
    return std::move(out_);
  }

 private:
  // Assumes that all rules are blank; excludes those that match other characters, directly or by
  // reference.
  void find_blank_rules() {
    std::vector<std::size_t> others;
    const auto exclude = [&](std::size_t rule) {
      if (blank_[rule]) others.push_back(rule);
      blank_[rule] = false;
    };
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      for (const std::size_t rule : graph_.references(i)) referring_[rule].push_back(i);
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!is_blank(graph_.grammar().rules[i].expr)) exclude(i);
    }
    while (!others.empty()) {
      const std::size_t rule = others.back();
      others.pop_back();
      for (const std::size_t next : referring_[rule]) exclude(next);
    }
  }

  bool is_blank(const Expr& expr) const {
    if (const auto* ref = std::get_if<RuleRef>(&expr.node)) {
      const std::size_t rule = graph_.find(ref->name);
      return rule != RuleGraph::kNoRule && blank_[rule];
    }
    const auto parts = children(expr);
    return is_blank_itself(expr) &&
           std::all_of(parts.begin(), parts.end(),
                       [this](const Expr& part) { return is_blank(part); });
  }

  // Returns the blank rules on or between cycles of references. Repeatedly removes rules without
  // references from remaining blank rules, then rules without references to any.
  std::vector<bool> recursive_blanks() const {
    std::vector<bool> left = blank_;
    take_away(
        left, [this](std::size_t rule) -> const auto& { return graph_.references(rule); },
        [this](std::size_t rule) -> const auto& { return referring_[rule]; });
    take_away(
        left, [this](std::size_t rule) -> const auto& { return referring_[rule]; },
        [this](std::size_t rule) -> const auto& { return graph_.references(rule); });
    return left;
  }

  template <typename To, typename From>
  void take_away(std::vector<bool>& left, To to, From from) const {
    std::vector<std::size_t> count(graph_.size(), 0);
    std::vector<std::size_t> none;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!left[i]) continue;
      for (const std::size_t rule : from(i)) count[i] += left[rule] ? 1 : 0;
      if (count[i] == 0) none.push_back(i);
    }
    while (!none.empty()) {
      const std::size_t rule = none.back();
      none.pop_back();
      left[rule] = false;
      for (const std::size_t next : to(rule)) {
        if (left[next] && --count[next] == 0) none.push_back(next);
      }
    }
  }

  void search(const Expr& expr) {
    const auto* repeat = std::get_if<Repetition>(&expr.node);
    if (repeat && !repeat->max && is_blank(repeat->item.front())) {
      out_.push_back(EndlessBlank{rule_, repeat->at});
      return;
    }
    for (const Expr& part : children(expr)) search(part);
  }

  const RuleGraph& graph_;
  std::vector<bool> blank_;
  std::vector<std::vector<std::size_t>> referring_;
  std::vector<EndlessBlank> out_;
  std::size_t rule_ = 0;
};

}  // namespace

std::vector<EndlessBlank> endless_blanks(const RuleGraph& graph) {
  return BlankSearch(graph).run();
}

}  // namespace pedro
