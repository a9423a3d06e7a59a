#include "schema_to_gbnf/raw_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "regular/pattern_set.h"
#include "regular/text_set_to_gbnf.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxExactStates = 1500;

using StateId = std::uint32_t;

/// Writes the paths through a set's automaton between two visits of one state, `home`.
class PortionWriter {
 public:
  PortionWriter(GrammarBuilder& grammar, const TextSet& set)
      : grammar_(grammar), states_(set.states()), home_(find_home()) {}

  // Returns texts of `min` to `max` portions. Requires `max` > 0.
  Expr write(int min, std::optional<int> max) {
    std::vector<Expr> options;
    if (home_ != 0 && min == 0) options.push_back(way(0, Part::kTail));
    Expr first;
    if (home_ != 0) {
      first = way(0, Part::kPortion);
      if (max) --*max;
      min = std::max(min - 1, 0);
    }
    const Expr tail = way(home_, Part::kTail);
    const Expr portion = grammar_.add("raw-portion", way(home_, Part::kPortion));
    options.push_back(sequence({first, repetition(portion, min, max), tail}));
    for (std::size_t i = 0; i < rules_.size(); ++i) {  // grows during the loop
      const auto [at, part, name] = rules_[i];
      grammar_.define(name, way(at, part));
    }
    return alternation(std::move(options));
  }

 private:
  enum class Part {
    kPortion,  ///< up to the next visit of `home`
    kTail      ///< to the end of the text, without another visit
  };

  struct StateRule {
    StateId at;
    Part part;
    std::string name;
  };

  // Returns the target of most characters from the start.
  StateId find_home() const {
    std::vector<std::size_t> width(states_.size());
    for (const TextSet::Arc& arc : states_[0].arcs) width[arc.target] += arc.last - arc.first + 1;
    return static_cast<StateId>(std::max_element(width.begin(), width.end()) - width.begin());
  }

  Expr rule(StateId at, Part part) {
    const auto known = std::find_if(rules_.begin(), rules_.end(), [&](const StateRule& one) {
      return one.at == at && one.part == part;
    });
    if (known != rules_.end()) return rule_ref(known->name);
    rules_.push_back({at, part, grammar_.reserve(part == Part::kPortion ? "raw-part" : "raw-end")});
    return rule_ref(rules_.back().name);
  }

  // Returns the paths from a state.
  Expr way(StateId at, Part part) {
    std::vector<std::pair<StateId, std::vector<CharRange>>> targets;
    for (const TextSet::Arc& arc : states_[at].arcs) {
      if (arc.target == home_ && part == Part::kTail) continue;
      auto found = std::find_if(targets.begin(), targets.end(),
                                [&](const auto& one) { return one.first == arc.target; });
      if (found == targets.end()) found = targets.insert(found, {arc.target, {}});
      found->second.push_back({arc.first, arc.last});
    }
    std::vector<Expr> options;
    if (part == Part::kTail && states_[at].accepting) options.emplace_back();
    for (auto& [target, ranges] : targets) {
      Expr step = one_of(std::move(ranges));
      options.push_back(target == home_ ? std::move(step)
                                        : sequence({std::move(step), rule(target, part)}));
    }
    return alternation(std::move(options));
  }

  GrammarBuilder& grammar_;
  const std::vector<TextSet::State>& states_;
  StateId home_;
  std::vector<StateRule> rules_;
};

std::optional<Expr> all_of(GrammarBuilder& grammar, const TextSet& set) {
  if (set.is_empty()) return std::nullopt;
  return grammar.add("raw-text", add_text_set(grammar, set, TextEncoding::kPlain, "raw-text-part"));
}

}  // namespace

Result<TextSet> texts_without(std::string_view pattern) {
  Result<TextSet> with = pattern_set(pattern);
  return with ? difference(TextSet::any(), *with) : with;
}

std::string pattern_of(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.*+?()[]{}|/").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::optional<Expr> add_raw_text(GrammarBuilder& grammar, const TextSet& set,
                                 const LengthRange& length, SchemaId where, LooseEnds& loose) {
  if (set.is_empty()) return std::nullopt;
  const std::size_t counted = length.max.value_or(length.min);
  if (counted * set.states().size() <= kMaxExactStates) {
    Result<TextSet> lengths = TextSet::of_length(length.min, length.max);
    Result<TextSet> exact = lengths ? intersection(set, *lengths) : lengths;
    if (exact) return all_of(grammar, *exact);
  }
  constexpr std::size_t kMost = kMaxRepeats;
  if (length.min > kMost) loose.add(where, "minLength", fmt::format("{} or more", kMost));
  const int min = static_cast<int>(std::min(length.min, kMost));
  if (!length.max || *length.max > kMost) {
    if (length.max) loose.add(where, "maxLength", "any number");
    return grammar.add("raw-text", PortionWriter(grammar, set).write(min, std::nullopt));
  }
  loose.add(where, "maxLength", "some more");
  return grammar.add("raw-text",
                     PortionWriter(grammar, set).write(min, static_cast<int>(*length.max)));
}

}  // namespace pedro
