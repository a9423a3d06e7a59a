#include "gbnf/gbnf.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxNameBytes = 64;

// Sorts ranges and joins those that overlap or touch: [a-cb-d] and [a-d] are equal and print alike.
std::vector<CharRange> merged(std::vector<CharRange> ranges) {
  std::erase_if(ranges, [](const CharRange& range) { return range.first > range.last; });
  std::sort(ranges.begin(), ranges.end(),
            [](const CharRange& a, const CharRange& b) { return a.first < b.first; });
  std::vector<CharRange> out;
  for (const CharRange& range : ranges) {
    if (!out.empty() && range.first <= out.back().last + 1) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

void append_item(std::vector<Expr>& items, Expr item) {
  if (auto* inner = std::get_if<Sequence>(&item.node)) {
    for (Expr& part : inner->items) append_item(items, std::move(part));
    return;
  }
  const auto* text = std::get_if<Literal>(&item.node);
  auto* before = items.empty() ? nullptr : std::get_if<Literal>(&items.back().node);
  if (text && before) {
    before->bytes += text->bytes;
  } else {
    items.push_back(std::move(item));
  }
}

std::vector<Expr> items_of(Expr expr) {
  if (auto* items = std::get_if<Sequence>(&expr.node)) return std::move(items->items);
  std::vector<Expr> one;
  one.push_back(std::move(expr));
  return one;
}

// Returns the longest common prefix of `a` and `b` that ends between two code points.
std::string common_prefix(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto length = static_cast<std::size_t>(ends.first - a.begin());
  return std::string(truncate_utf8(a, length));
}

// Removes the common beginning of all options (one item, or a prefix of a literal) and returns it.
// Returns an empty expression if they have none.
Expr take_common(std::vector<std::vector<Expr>>& options) {
  if (options[0].empty()) return {};
  Expr common = options[0].front();
  for (const auto& option : options) {
    if (option.empty()) return {};
    if (option.front() == common) continue;
    const auto* mine = std::get_if<Literal>(&option.front().node);
    const auto* ours = std::get_if<Literal>(&common.node);
    if (!mine || !ours) return {};
    common = literal(common_prefix(ours->bytes, mine->bytes));
    if (common.is_empty()) return {};
  }
  for (auto& option : options) {
    if (option.front() == common) {
      option.erase(option.begin());
    } else {
      std::string& bytes = std::get<Literal>(option.front().node).bytes;
      bytes.erase(0, std::get<Literal>(common.node).bytes.size());
    }
  }
  return common;
}

}  // namespace

bool Expr::is_empty() const {
  const auto* items = std::get_if<Sequence>(&node);
  return items && items->items.empty();
}

static bool operator==(const Literal& a, const Literal& b) {
  return a.bytes == b.bytes;
}
static bool operator==(const CharRange& a, const CharRange& b) {
  return a.first == b.first && a.last == b.last;
}
static bool operator==(const CharClass& a, const CharClass& b) {
  return a.negated == b.negated && a.ranges == b.ranges;
}
static bool operator==(const RuleRef& a, const RuleRef& b) {
  return a.name == b.name;
}
static bool operator==(const Token& a, const Token& b) {
  return a.negated == b.negated && a.id == b.id && a.text == b.text;
}
static bool operator==(const Sequence& a, const Sequence& b) {
  return a.items == b.items;
}
static bool operator==(const Alternation& a, const Alternation& b) {
  return a.options == b.options;
}
static bool operator==(const Repetition& a, const Repetition& b) {
  return a.min == b.min && a.max == b.max && a.item == b.item;
}
static bool operator==(const Rule& a, const Rule& b) {
  return a.name == b.name && a.expr == b.expr;
}

bool operator==(const Expr& a, const Expr& b) {
  return a.node == b.node;
}
bool operator==(const Gbnf& a, const Gbnf& b) {
  return a.rules == b.rules;
}

Expr literal(std::string_view bytes) {
  if (bytes.empty()) return {};
  return Expr{Literal{std::string(bytes)}};
}

Expr one_of(std::vector<CharRange> ranges) {
  return Expr{CharClass{merged(std::move(ranges)), false}};
}

Expr none_of(std::vector<CharRange> ranges) {
  ranges = merged(std::move(ranges));
  const bool all =
      !ranges.empty() && ranges.front().first == 0 && ranges.front().last == kLastCodePoint;
  return all ? one_of({}) : Expr{CharClass{std::move(ranges), true}};
}

Expr rule_ref(std::string_view name) {
  return Expr{RuleRef{std::string(name)}};
}

Expr token(std::string_view text, bool negated) {
  return Expr{Token{std::string(text), std::nullopt, negated}};
}

Expr token(std::uint32_t id, bool negated) {
  return Expr{Token{{}, id, negated}};
}

Expr known_token(std::uint32_t id, std::string_view text) {
  return Expr{Token{std::string(text), id, false}};
}

Expr sequence(std::vector<Expr> items) {
  std::vector<Expr> out;
  for (Expr& item : items) append_item(out, std::move(item));
  if (out.size() == 1) return std::move(out.front());
  return Expr{Sequence{std::move(out)}};
}

Expr alternation(std::vector<Expr> options) {
  std::vector<Expr> out;
  std::unordered_set<std::string> seen;  // printed form: one hash lookup per option
  const auto add = [&](Expr option) {
    if (seen.insert(print(option)).second) out.push_back(std::move(option));
  };
  for (Expr& option : options) {
    if (auto* inner = std::get_if<Alternation>(&option.node)) {
      for (Expr& part : inner->options) add(std::move(part));
    } else {
      add(std::move(option));
    }
  }
  if (out.empty()) return one_of({});
  if (out.size() == 1) return std::move(out.front());
  return Expr{Alternation{std::move(out)}};
}

Expr factored_alternation(std::vector<Expr> options) {
  if (options.size() < 2) return alternation(std::move(options));
  std::vector<std::vector<Expr>> rests;
  rests.reserve(options.size());
  for (Expr& option : options) rests.push_back(items_of(std::move(option)));
  std::vector<Expr> out;
  for (;;) {
    Expr common = take_common(rests);
    if (common.is_empty()) break;
    out.push_back(std::move(common));
  }
  std::vector<Expr> choices;
  choices.reserve(rests.size());
  for (auto& rest : rests) choices.push_back(sequence(std::move(rest)));
  out.push_back(alternation(std::move(choices)));
  return sequence(std::move(out));
}

Expr repetition(Expr item, int min, std::optional<int> max) {
  assert(min >= 0 && min <= kMaxRepeats);
  assert(!max || (*max >= min && *max <= kMaxRepeats));
  if (item.is_empty() || max == 0) return {};
  if (min == 1 && max == 1) return item;
  Repetition out;
  out.item.push_back(std::move(item));
  out.min = min;
  out.max = max;
  return Expr{std::move(out)};
}

Expr maybe(Expr item) {
  return repetition(std::move(item), 0, 1);
}

Expr renamed(const Expr& expr, const std::map<std::string, std::string>& names) {
  Expr out = expr;
  const auto rename_all = [&names](std::vector<Expr>& parts) {
    for (Expr& part : parts) part = renamed(part, names);
  };
  if (auto* ref = std::get_if<RuleRef>(&out.node)) ref->name = names.at(ref->name);
  if (auto* list = std::get_if<Sequence>(&out.node)) rename_all(list->items);
  if (auto* choice = std::get_if<Alternation>(&out.node)) rename_all(choice->options);
  if (auto* repeat = std::get_if<Repetition>(&out.node)) rename_all(repeat->item);
  return out;
}

std::string rule_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kMaxNameBytes)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += letter ? c : '-';
  }
  return name.empty() ? "rule" : name;
}

}  // namespace pedro
