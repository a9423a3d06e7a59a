#include "regular/text_set_to_gbnf.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace pedro {
namespace {

using StateId = std::uint32_t;
using Ranges = std::vector<CharRange>;

constexpr int kMaxInline = 8;       // nested groups before a separate rule begins
constexpr std::size_t kMinRun = 2;  // equal steps that are written as a repetition

constexpr std::string_view kShortEscapes = "\b\f\n\r\t\"\\";
constexpr std::string_view kShortLetters = "bfnrt\"\\";

/// Returns true for code points that must be escaped in a JSON string.
bool is_escaped(char32_t point) {
  return point < 0x20 || point == '"' || point == '\\';
}

Expr hex_digit(unsigned value) {
  const auto digit = [](unsigned v) {
    return static_cast<char32_t>(v < 10 ? '0' + v : 'a' + v - 10);
  };
  const char32_t lower = digit(value);
  if (value < 10) return one_of({{lower, lower}});
  const char32_t upper = lower - 'a' + 'A';
  return one_of({{upper, upper}, {lower, lower}});
}

Expr escape_of(char32_t point) {
  const std::size_t at = kShortEscapes.find(static_cast<char>(point));
  if (at != std::string_view::npos) return literal(std::string("\\") + kShortLetters[at]);
  const auto value = static_cast<unsigned>(point);
  return sequence({literal(value < 0x10 ? "\\u000" : "\\u001"), hex_digit(value & 0xF)});
}

bool has_all_escaped(const Ranges& ranges) {
  const auto has = [&](char32_t first, char32_t last) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const CharRange& range) {
      return range.first <= first && range.last >= last;
    });
  };
  return has(0, 0x1F) && has('"', '"') && has('\\', '\\');
}

Expr any_escape() {
  const Expr hex = one_of({{'0', '9'}, {'A', 'F'}, {'a', 'f'}});
  Expr short_form = one_of(
      {{'"', '"'}, {'\\', '\\'}, {'b', 'b'}, {'f', 'f'}, {'n', 'n'}, {'r', 'r'}, {'t', 't'}});
  return sequence(
      {literal("\\"), alternation({std::move(short_form),
                                   sequence({literal("u00"), one_of({{'0', '1'}}), hex})})});
}

bool same_ranges(const Ranges& a, const Ranges& b) {
  return one_of(a) == one_of(b);
}

using Ways = std::vector<std::pair<StateId, Ranges>>;

bool same_ways(const Ways& a, const Ways& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same_ranges(x.second, y.second);
  });
}

class SetWriter {
 public:
  SetWriter(GrammarBuilder& grammar, const TextSet& set, TextEncoding form, std::string_view name)
      : grammar_(grammar),
        states_(set.states()),
        form_(form),
        name_(name),
        rules_(states_.size()),
        no_ladder_(states_.size()) {
    for (StateId i = 0; i < states_.size(); ++i) ways_.push_back(ways_of(i));
    std::vector<std::size_t> entries(states_.size());
    if (!states_.empty()) ++entries[0];
    for (StateId i = 0; i < states_.size(); ++i) {
      for (const auto& [target, ranges] : ways(i)) {
        if (target != i) ++entries[target];
      }
    }
    for (StateId i = 0; i < states_.size(); ++i) {
      const bool ends = states_[i].accepting && states_[i].arcs.empty();  // an end needs no rule
      shared_.push_back(entries[i] > 1 && !ends);
    }
  }

  Expr write() {
    if (states_.empty()) return one_of({});
    Expr body = shared_[0] ? rule(0) : expr(0, 0);
    for (std::size_t i = 0; i < reserved_.size(); ++i) {  // grows during the loop
      const StateId at = reserved_[i];
      grammar_.define(rules_[at], expr(at, 0));
    }
    return form_ == TextEncoding::kPlain ? body : sequence({literal("\""), std::move(body)});
  }

 private:
  // Returns the targets of a state in the order of their first code points.
  Ways ways_of(StateId at) const {
    Ways all;
    std::unordered_map<StateId, std::size_t> place;
    for (const TextSet::Arc& arc : states_[at].arcs) {
      const auto [found, fresh] = place.emplace(arc.target, all.size());
      if (fresh) all.emplace_back(arc.target, Ranges());
      all[found->second].second.push_back({arc.first, arc.last});
    }
    return all;
  }

  const Ways& ways(StateId at) const { return ways_[at]; }

  Expr end() const { return form_ == TextEncoding::kPlain ? Expr{} : literal("\""); }

  // Returns an expression for one code point of `ranges`.
  Expr head(const Ranges& ranges) {
    if (form_ == TextEncoding::kPlain) return class_of(ranges);
    std::vector<Expr> options;
    Ranges raw;
    for (const CharRange& range : ranges) add_raw(range, raw);
    if (!raw.empty()) options.push_back(class_of(raw));
    if (has_all_escaped(ranges)) {
      options.push_back(grammar_.add("escape", any_escape()));
      return alternation(std::move(options));
    }
    for (const CharRange& range : ranges) {
      for (char32_t point = range.first; point <= std::min<char32_t>(range.last, '\\'); ++point) {
        if (is_escaped(point)) options.push_back(escape_of(point));
      }
    }
    return factored_alternation(std::move(options));
  }

  static void add_raw(const CharRange& range, Ranges& raw) {
    static constexpr CharRange kRaw[] = {{0x20, 0x21}, {0x23, 0x5B}, {0x5D, kLastCodePoint}};
    for (const CharRange& part : kRaw) {
      const char32_t first = std::max(range.first, part.first);
      const char32_t last = std::min(range.last, part.last);
      if (first <= last) raw.push_back({first, last});
    }
  }

  static Expr class_of(const Ranges& ranges) {
    if (ranges.size() == 1 && ranges[0].first == ranges[0].last) {
      std::string bytes;
      append_utf8(bytes, ranges[0].first);
      return literal(bytes);
    }
    return one_of(ranges);
  }

  // Only reserves the name and defines the rule later, so that recursion does not depend on the
  // set's length.
  Expr rule(StateId at) {
    if (rules_[at].empty()) {
      rules_[at] = grammar_.reserve(name_);
      reserved_.push_back(at);
    }
    return rule_ref(rules_[at]);
  }

  // Returns the expression for all continuations of a state; recurses kMaxInline deep.
  Expr expr(StateId at, int depth) {
    std::vector<Expr> items;
    for (;;) {
      if (const std::optional<Run> run = run_from(at)) {
        items.push_back(run->repeated);
        at = run->last;
        if (run->closed) {
          items.push_back(end());
          return sequence(std::move(items));
        }
      }
      if (const std::optional<Ladder> ladder = ladder_from(at)) {
        Expr step = head(ladder->ranges);
        const bool once_before = !items.empty() && items.back() == step;
        if (once_before) items.pop_back();
        items.push_back(repetition(std::move(step), once_before ? 1 : 0,
                                   ladder->steps + (once_before ? 1 : 0)));
        at = ladder->last;
        break;
      }
      const auto* way = states_[at].accepting ? nullptr : only_way(at);
      if (way == nullptr) break;
      items.push_back(head(way->second));
      at = way->first;
    }
    std::vector<Expr> options;
    for (const auto& [target, ranges] : ways(at)) {
      if (target == at) {
        items.push_back(repetition(head(ranges), 0, std::nullopt));
        continue;
      }
      const bool apart = shared_[target] || depth >= kMaxInline;
      options.push_back(sequence({head(ranges), apart ? rule(target) : expr(target, depth + 1)}));
    }
    if (states_[at].accepting) options.push_back(end());
    items.push_back(alternation(std::move(options)));
    return sequence(std::move(items));
  }

  // Returns the only way out of `at` if it leads to another state without other entries; otherwise
  // null.
  const std::pair<StateId, Ranges>* only_way(StateId at) const {
    const Ways& all = ways(at);
    const bool single = all.size() == 1 && all[0].first != at && !shared_[all[0].first];
    return single ? &all[0] : nullptr;
  }

  // A chain of states with the same step: x{m,n}. `closed` means that the text ends after it.
  struct Run {
    Expr repeated;
    StateId last = 0;
    bool closed = false;
  };
  std::optional<Run> run_from(StateId at) {
    const auto* way = only_way(at);
    if (way == nullptr) return std::nullopt;
    const Ranges& ranges = way->second;
    int min = 0;
    while (way != nullptr && !states_[at].accepting && same_ranges(way->second, ranges) &&
           min < kMaxRepeats) {
      at = way->first;
      ++min;
      way = only_way(at);
    }
    // Optional steps, up to a final state without arcs.
    int max = min;
    StateId last = at;
    while (way != nullptr && states_[last].accepting && same_ranges(way->second, ranges) &&
           max < kMaxRepeats) {
      last = way->first;
      ++max;
      way = only_way(last);
    }
    const bool closed = states_[last].accepting && states_[last].arcs.empty();
    if (!closed) {
      max = min;
      last = at;
    }
    if (static_cast<std::size_t>(max) < kMinRun) return std::nullopt;
    return Run{repetition(head(ranges), min, max), last, closed};
  }

  // A chain of states: each leads to the next one by the same code points, and otherwise to common
  // targets. The last state has only the common targets: x{0,n} followed by the common rest.
  struct Ladder {
    Ranges ranges;
    int steps = 0;
    StateId last = 0;
  };
  std::optional<Ladder> ladder_from(StateId at) {
    if (no_ladder_[at]) return std::nullopt;
    for (const auto& first : ways(at)) {
      const StateId target = first.first;
      const Ranges& ranges = first.second;
      Ways beside = ways(at);
      std::erase_if(beside, [&](const auto& way) { return way.first == target; });
      std::vector<StateId> steps;
      StateId next = target;
      while (states_[next].accepting == states_[at].accepting &&
             steps.size() < std::min<std::size_t>(kMaxRepeats, states_.size())) {
        steps.push_back(next);
        Ways further = ways(next);
        const auto step = std::find_if(further.begin(), further.end(), [&](const auto& way) {
          return way.first != next && same_ranges(way.second, ranges);
        });
        const bool last = step == further.end();
        if (!last) {
          next = step->first;
          further.erase(step);
        }
        if (!same_ways(further, beside)) break;
        if (!last) continue;
        if (steps.size() < kMinRun) break;
        return Ladder{ranges, static_cast<int>(steps.size()), steps.back()};
      }
      for (const StateId step : steps) no_ladder_[step] = true;
    }
    return std::nullopt;
  }

  GrammarBuilder& grammar_;
  const std::vector<TextSet::State>& states_;
  TextEncoding form_;
  std::string name_;
  std::vector<Ways> ways_;          // of each state
  std::vector<std::string> rules_;  // name of each state's rule, if it has one
  std::vector<StateId> reserved_;   // states whose rules must be defined
  std::vector<bool> shared_;        // states with several entries
  std::vector<bool> no_ladder_;     // states where no ladder begins
};

}  // namespace

Expr add_text_set(GrammarBuilder& grammar, const TextSet& set, TextEncoding form,
                  std::string_view name) {
  return SetWriter(grammar, set, form, name).write();
}

}  // namespace pedro
