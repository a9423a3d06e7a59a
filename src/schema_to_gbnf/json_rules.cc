#include "schema_to_gbnf/json_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "regular/decimal.h"

namespace pedro {
namespace {

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
