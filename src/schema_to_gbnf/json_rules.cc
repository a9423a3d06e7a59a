#include "schema_to_gbnf/json_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "regular/decimal.h"

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

Expr blank(const GrammarBuilder& grammar) {
  const bool must_be = grammar.blanks() == JsonBlanks::kOne;
  return must_be ? literal(" ") : maybe(literal(" "));
}

Expr chars(std::string_view pairs) {
  std::vector<CharRange> ranges;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    ranges.push_back(
        CharRange{static_cast<unsigned char>(pairs[i]), static_cast<unsigned char>(pairs[i + 1])});
  }
  return one_of(std::move(ranges));
}

Expr hex_digits(int count) {
  return repetition(chars("09AFaf"), count, count);
}

// The part after "\u": a code unit other than a surrogate, or a high surrogate with its low one.
Expr unicode_escape() {
  return alternation({
      sequence({chars("09ACEFacef"), hex_digits(3)}),
      sequence({chars("DDdd"), chars("07"), hex_digits(2)}),
      sequence({chars("DDdd"), chars("89ABab"), hex_digits(2), literal("\\u"), chars("DDdd"),
                chars("CFcf"), hex_digits(2)}),
  });
}

// Returns the usual texts of a number: 1.5; 100.0 and 100; 1e-07, 1e-7 and 0.0000001.
Expr json_number(const Json& number) {
  std::set<std::string> texts{to_line(number)};
  const std::string line = *texts.begin();
  if (const auto exact = parse_decimal(line)) texts.insert(to_string(*exact));
  if (const std::size_t e = line.find('e'); e != std::string::npos) {
    const char* digits = line.data() + e + (line[e + 1] == '+' ? 2 : 1);
    int exponent = 0;
    const auto end = std::from_chars(digits, line.data() + line.size(), exponent);
    if (end.ec == std::errc()) texts.insert(fmt::format("{}e{}", line.substr(0, e), exponent));
  }
  std::vector<Expr> options;
  for (const std::string& text : texts) options.push_back(literal(text));
  return alternation(std::move(options));
}

/// Writes the content between the braces. The count no longer matters once the minimum is reached
/// and there is no maximum; such positions are "free".
class ObjectWriter {
 public:
  ObjectWriter(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
               const std::optional<Expr>& others, const MemberCount& count, std::string_view name)
      : grammar_(grammar),
        members_(members),
        others_(others),
        count_(count),
        name_(name),
        free_from_(std::max<std::size_t>(count.min, 1)) {}

  Expr write() {
    std::vector<Expr> options;
    std::size_t i = 0;
    for (; i < members_.size() && (i == 0 || !members_[i - 1].required); ++i) {
      if (count_.max == 0u) break;
      Expr then = after(i + 1, 1);
      if (!is_nothing(then)) options.push_back(sequence({members_[i].text, std::move(then)}));
    }
    const bool done = i == members_.size() && (i == 0 || !members_[i - 1].required);
    if (done || count_.max == 0u) {
      if (others_ && count_.max != 0u) {
        options.push_back(sequence({*others_, others_after(1)}));
      }
      if (count_.min == 0) options.emplace_back();
    }
    return sequence({literal("{"), alternation(std::move(options)), literal("}")});
  }

 private:
  bool is_free(std::size_t written) const { return !count_.max && written >= free_from_; }

  // Returns the continuation after the first `i` members; `written` members or others are present.
  Expr after(std::size_t i, std::size_t written) {
    return is_free(written) ? free_after(i) : counted_after(i, written);
  }

  // Each leading optional member has a rule for its continuation, which ends in the next one's
  // rule.
  Expr free_after(std::size_t i) {
    if (free_.empty()) make_free();
    return free_[i];
  }

  void make_free() {
    const auto first_required =
        static_cast<std::size_t>(std::find_if(members_.begin(), members_.end(),
                                              [](const auto& one) { return one.required; }) -
                                 members_.begin());
    free_.resize(members_.size() + 1);
    // The items of the continuation since the last rule, the last one first.
    std::vector<Expr> items;
    if (others_) items.push_back(named("more", repetition(next(*others_), 0, std::nullopt)));
    free_[members_.size()] = sequence(items);
    for (std::size_t i = members_.size(); i-- > 1;) {
      Expr member = next(members_[i].text);
      items.push_back(members_[i].required ? std::move(member) : maybe(std::move(member)));
      const bool entered_twice = first_required > 0 && i <= first_required + 1;
      if (!entered_twice && count_.min <= 1 && i > 1) continue;  // nothing continues here
      Expr rest = sequence({items.rbegin(), items.rend()});
      if ((entered_twice || count_.min > 1) && !rest.is_empty()) {
        rest = named(fmt::format("after-{}", rule_name(members_[i - 1].name)), std::move(rest));
      }
      items.assign(1, rest);
      free_[i] = std::move(rest);
    }
  }

  // Has a rule per position and count, built from the last to the first to avoid recursion.
  Expr counted_after(std::size_t i, std::size_t written) {
    if (counted_.empty()) make_counted();
    return counted_[i][written];
  }

  void make_counted() {
    const std::size_t most = count_.max.value_or(free_from_ - 1);
    counted_.assign(members_.size() + 1, std::vector<Expr>(most + 2));
    for (std::size_t written = 0; written <= most; ++written) {
      counted_.back()[written] = end_after(written);
    }
    for (std::size_t i = members_.size(); i-- > 1;) {
      for (std::size_t written = 0; written <= most; ++written) {
        std::vector<Expr> options;
        if (written < most || !count_.max) {
          Expr then = is_free(written + 1) ? free_after(i + 1) : counted_[i + 1][written + 1];
          if (!is_nothing(then)) options.push_back(sequence({next(members_[i].text), then}));
        }
        if (!members_[i].required && !is_nothing(counted_[i + 1][written])) {
          options.push_back(counted_[i + 1][written]);
        }
        Expr body = alternation(std::move(options));
        const bool trivial = is_nothing(body) || body.is_empty();
        counted_[i][written] =
            trivial ? body : named(fmt::format("{}-{}", i, written), std::move(body));
      }
    }
  }

  Expr end_after(std::size_t written) {
    if (others_) return others_after(written);
    return written >= count_.min ? Expr{} : one_of({});
  }

  // Returns the other members that may follow `written` members.
  Expr others_after(std::size_t written) {
    const std::size_t min = count_.min > written ? count_.min - written : 0;
    const auto max =
        count_.max ? std::optional(static_cast<int>(*count_.max - written)) : std::nullopt;
    if (min == 0 && !max) return free_after(members_.size());
    return repetition(named("more-one", next(*others_)), static_cast<int>(min), max);
  }

  static bool is_nothing(const Expr& expr) { return expr == one_of({}); }

  Expr next(const Expr& member) const { return sequence({json_comma(grammar_), member}); }

  Expr named(const std::string& what, Expr body) {
    return grammar_.add(name_ + "-" + what, std::move(body));
  }

  GrammarBuilder& grammar_;
  const std::vector<JsonMember>& members_;
  const std::optional<Expr>& others_;
  MemberCount count_;
  std::string name_;
  std::size_t free_from_;
  std::vector<Expr> free_;                  // indexed by the number of passed members
  std::vector<std::vector<Expr>> counted_;  // likewise, and by the number of written ones
};

}  // namespace

Expr json_object_in_any_order(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                              const std::optional<Expr>& others,
                              std::span<const std::string> required, std::string_view name) {
  return AnyOrder(grammar, members, others, name).write(required);
}

Expr json_comma(const GrammarBuilder& grammar) {
  return sequence({literal(","), blank(grammar)});
}

Expr json_key(const GrammarBuilder& grammar, std::string_view name) {
  return json_key(grammar, literal(to_line(Json(name))));
}

Expr json_key(const GrammarBuilder& grammar, Expr name) {
  return sequence({std::move(name), literal(":"), blank(grammar)});
}

Expr json_constant(const GrammarBuilder& grammar, const Json& value) {
  if (is_json_number(value) && !value.is_number_integer()) return json_number(value);
  if (!value.is_structured()) return literal(to_line(value));
  std::vector<Expr> parts{literal(value.is_object() ? "{" : "[")};
  bool first = true;
  for (const auto& [name, part] : value.items()) {
    if (!std::exchange(first, false)) parts.push_back(json_comma(grammar));
    if (value.is_object()) parts.push_back(json_key(grammar, name));
    parts.push_back(json_constant(grammar, part));
  }
  parts.push_back(literal(value.is_object() ? "}" : "]"));
  return sequence(std::move(parts));
}

Expr json_char(GrammarBuilder& grammar) {
  return *grammar.shared("char", [&] {
    const Expr letter = one_of({{'"', '"'},
                                {'\\', '\\'},
                                {'/', '/'},
                                {'b', 'b'},
                                {'f', 'f'},
                                {'n', 'n'},
                                {'r', 'r'},
                                {'t', 't'}});
    const Expr escaped = alternation({letter, sequence({literal("u"), unicode_escape()})});
    const Expr raw = none_of({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x7F}});
    return std::optional(
        grammar.add("char", alternation({raw, sequence({literal("\\"), escaped})})));
  });
}

Expr json_string(GrammarBuilder& grammar, const Repeats& length) {
  if (length.max == 0) return literal("\"\"");
  std::string name = "string";
  if (length.min > 0 || length.max) name += fmt::format("-{}", length.min);
  if (length.max) name += fmt::format("-{}", *length.max);
  return *grammar.shared(name, [&] {
    const Expr chars = repetition(json_char(grammar), length.min, length.max);
    return std::optional(grammar.add(name, sequence({literal("\""), chars, literal("\"")})));
  });
}

Expr json_object(GrammarBuilder& grammar, const std::vector<JsonMember>& members,
                 const std::optional<Expr>& others, const MemberCount& count,
                 std::string_view name) {
  return ObjectWriter(grammar, members, others, count, name).write();
}

Expr json_array(GrammarBuilder& grammar, const std::vector<Expr>& first,
                const std::optional<Expr>& rest, const Repeats& count, std::string_view name) {
  const auto held = static_cast<int>(first.size());
  const int most = rest ? count.max.value_or(kMaxRepeats + held) : held;
  const int limit = std::min(most, count.max.value_or(most));
  if (limit == 0) return literal("[]");
  // Built from the last item to the first: the continuation after the first `i` items.
  Expr after;
  if (rest && limit > held) {
    const int before = std::max(held, 1);
    const int min = std::max(count.min - before, 0);
    const auto max = count.max ? std::optional(*count.max - before) : std::nullopt;
    if (max != 0) {
      // A separate rule, because each symbol of a group would count against the server's limit.
      const Expr next =
          grammar.add(fmt::format("{}-next", name), sequence({json_comma(grammar), *rest}));
      after = repetition(next, min, max);
    }
  }
  if (held == 0) {
    Expr items = sequence({*rest, std::move(after)});
    if (limit == 1) {
      return sequence({literal("["), count.min == 0 ? maybe(items) : items, literal("]")});
    }
    items = sequence({std::move(items), literal("]")});
    // Not an optional group, because its repetitions would count against the same limit.
    if (count.min == 0) items = alternation({literal("]"), std::move(items)});
    return sequence({literal("["), std::move(items)});
  }
  for (int i = std::min(held, limit); i-- > 0;) {
    Expr item = i == 0 ? first[0] : sequence({json_comma(grammar), first[i]});
    after = sequence({std::move(item), std::move(after)});
    if (count.min > i) continue;  // it is required, and so are all earlier items
    after = alternation({Expr{}, std::move(after)});
    if (i > 0) after = grammar.add(fmt::format("{}-from-{}", name, i + 1), std::move(after));
  }
  return sequence({literal("["), std::move(after), literal("]")});
}

}  // namespace pedro
