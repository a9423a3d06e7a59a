#include "schema_to_gbnf/any_order.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pedro {
namespace {

constexpr std::size_t kMaxTracked = 6;         // 2^6 rules
constexpr std::size_t kMaxTrackedInLarge = 3;  // in a grammar with kLargeRules
constexpr std::size_t kLargeRules = 2000;

class AnyOrder {
 public:
  AnyOrder(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
           const std::optional<Expr>& others, std::string_view name)
      : grammar_(grammar), name_(name) {
    const auto required = static_cast<std::size_t>(std::count_if(
        members.begin(), members.end(), [](const auto& one) { return one.required; }));
    const std::size_t most = grammar.size() < kLargeRules ? kMaxTracked : kMaxTrackedInLarge;
    tracks_all_ = members.size() <= most;
    tracks_required_ = required <= most;
    for (const JsonMember& member : members) {
      Expr text = named(member.name, member.text);
      if (member.required || tracks_all_) {
        tracked_.push_back({std::string(member.name), std::move(text), member.required});
      } else {
        free_.push_back(std::move(text));
      }
    }
    write_free(others);
  }

  Expr write(std::span<const std::string> required) {
    Expr content = tracks_required_ ? start() : in_fixed_orders(required);
    return sequence({literal("{"), std::move(content), literal("}")});
  }

 private:
  using Missing = unsigned;  // a bit for each tracked member

  struct Tracked {
    std::string name;
    Expr text;
    bool required = false;
  };

  // Writes the runs of untracked members before and after a tracked one.
  void write_free(const std::optional<Expr>& others) {
    std::vector<Expr> options = free_;
    const bool bounded = !others && free_.size() <= static_cast<std::size_t>(kMaxRepeats);
    const auto most = bounded ? std::optional(static_cast<int>(free_.size())) : std::nullopt;
    if (others) options.push_back(*others);
    if (options.empty()) return;
    const Expr one = named("any", alternation(std::move(options)));
    const Expr comma = json_comma(grammar_);
    lead_ = named("lead", repetition(named("any-lead", sequence({one, comma})), 0, most));
    more_ = named("more", repetition(named("any-more", sequence({comma, one})), 0, most));
    free_one_ = one;
  }

  Missing all() const { return (Missing{1} << tracked_.size()) - 1; }

  bool is_complete(Missing missing) const {
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      if (tracked_[i].required && (missing >> i & 1) != 0) return false;
    }
    return true;
  }

  // Calls `use` with each missing member and the set without it.
  template <typename Use>
  void for_each(Missing missing, Use use) const {
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      if ((missing >> i & 1) != 0) use(tracked_[i].text, missing & ~(Missing{1} << i));
    }
  }

  Expr start() {
    if (!is_complete(all())) return before(all());
    std::vector<Expr> options;
    for_each(all(), [&](const Expr& text, Missing rest) {
      options.push_back(sequence({text, after(rest)}));
    });
    if (free_one_) options.push_back(sequence({*free_one_, after(all())}));
    options.emplace_back();
    return alternation(std::move(options));
  }

  // Returns the text from a place without a comma in front, while required members are missing.
  Expr before(Missing missing) {
    if (const auto known = before_.find(missing); known != before_.end()) return known->second;
    std::vector<Expr> options;
    for_each(missing, [&](const Expr& text, Missing rest) {
      options.push_back(is_complete(rest) ? sequence({text, after(rest)})
                                          : sequence({text, json_comma(grammar_), before(rest)}));
    });
    Expr text = named("then", sequence({lead_, alternation(std::move(options))}));
    return before_.emplace(missing, std::move(text)).first->second;
  }

  // Returns the text after a member, when only optional members may follow.
  Expr after(Missing missing) {
    if (missing == 0) return more_;
    if (const auto known = after_.find(missing); known != after_.end()) return known->second;
    std::vector<Expr> options{Expr{}};
    for_each(missing, [&](const Expr& text, Missing rest) {
      options.push_back(sequence({json_comma(grammar_), text, after(rest)}));
    });
    Expr text = named("then", sequence({more_, alternation(std::move(options))}));
    return after_.emplace(missing, std::move(text)).first->second;
  }

  // The required members in the declared order, or in that of `required`.
  Expr in_fixed_orders(std::span<const std::string> required) {
    std::vector<const Tracked*> order;
    for (const Tracked& one : tracked_) order.push_back(&one);
    std::vector<Expr> options{in_order(order)};
    const auto rank = [&](const Tracked* one) {
      return std::ranges::find(required, one->name) - required.begin();
    };
    std::ranges::stable_sort(order, {}, rank);
    options.push_back(in_order(order));
    if (options.front() == options.back()) options.pop_back();
    return alternation(std::move(options));
  }

  Expr in_order(const std::vector<const Tracked*>& order) const {
    std::vector<Expr> parts;
    for (const Tracked* one : order) {
      if (!parts.empty()) parts.push_back(json_comma(grammar_));
      parts.push_back(lead_);
      parts.push_back(one->text);
    }
    parts.push_back(more_);
    return sequence(std::move(parts));
  }

  Expr named(std::string_view what, Expr body) {
    const bool trivial = body.is_empty() || std::holds_alternative<RuleRef>(body.node);
    return trivial ? body : grammar_.add(name_ + "-" + rule_name(what), std::move(body));
  }

  GrammarBuilder& grammar_;
  std::string name_;
  bool tracks_all_ = false;
  bool tracks_required_ = false;
  std::vector<Tracked> tracked_;
  std::vector<Expr> free_;  // untracked members
  std::optional<Expr> free_one_;
  Expr lead_;  // untracked members, each with its comma after it
  Expr more_;  // the same with the commas in front
  std::map<Missing, Expr> before_;
  std::map<Missing, Expr> after_;
};

}  // namespace

Expr json_object_in_any_order(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                              const std::optional<Expr>& others,
                              std::span<const std::string> required, std::string_view name) {
  return AnyOrder(grammar, members, others, name).write(required);
}

}  // namespace pedro
