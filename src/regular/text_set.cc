#include "regular/text_set.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "regular/minimal_states.h"
#include "regular/text_nfa.h"

namespace pedro {
namespace {

using Arc = TextSet::Arc;

constexpr char32_t kFirstSurrogate = 0xD800;
constexpr char32_t kLastSurrogate = 0xDFFF;
constexpr std::uint32_t kRefused = ~0u;
constexpr std::size_t kPairSteps = 16;  // to create a state and to minimize it
constexpr char32_t kBeyond = kLastCodePoint + 1;

Error too_many() {
  return Error{ErrorKind::kLimit, "more than 4000 states"};
}

std::size_t count_arcs(const std::vector<TextSet::State>& states) {
  std::size_t arcs = 0;
  for (const TextSet::State& state : states) arcs += state.arcs.size();
  return arcs;
}

/// Follows two automata in parallel; kRefused is the state of one that has rejected the text.
class Product {
 public:
  Product(const TextSet& a, const TextSet& b, SchemaBudget* budget)
      : a_(a.states()), b_(b.states()), budget_(budget) {}

  /// `accepts(in a, in b)` decides acceptance; `needed(a is alive, b is alive)` prunes dead pairs.
  template <typename Accepts, typename Needed>
  Result<TextSet> run(Accepts accepts, Needed needed) {
    const Pair start{a_.empty() ? kRefused : 0, b_.empty() ? kRefused : 0};
    if (!needed(start.first != kRefused, start.second != kRefused)) return TextSet();
    id_of(start);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_.size() > 4 * TextSet::kMaxStates || arcs_ > 4 * TextSet::kMaxArcs) {
        return too_many();
      }
      const Pair at = pairs_[i];
      TextSet::State state;
      state.accepting = accepts(accepting(a_, at.first), accepting(b_, at.second));
      pair_arcs(at, [&](char32_t first, char32_t last, Pair to) {
        if (!needed(to.first != kRefused, to.second != kRefused)) return;
        append_arc(state.arcs, Arc{first, last, id_of(to)});
      });
      arcs_ += state.arcs.size();
      if (budget_ != nullptr && !budget_->spend(kPairSteps + 4 * state.arcs.size())) {
        return too_many();
      }
      states_.push_back(std::move(state));
    }
    return TextSet::from_states(states_);
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  static bool accepting(const std::vector<TextSet::State>& states, std::uint32_t at) {
    return at != kRefused && states[at].accepting;
  }

  std::uint32_t id_of(Pair pair) {
    const auto [found, fresh] = ids_.emplace(pair, static_cast<std::uint32_t>(pairs_.size()));
    if (fresh) pairs_.push_back(pair);
    return found->second;
  }

  // Calls `take` for every range of code points that at least one of them consumes.
  template <typename Take>
  void pair_arcs(Pair at, Take take) const {
    static const std::vector<Arc> kNone;
    const auto& left = at.first == kRefused ? kNone : a_[at.first].arcs;
    const auto& right = at.second == kRefused ? kNone : b_[at.second].arcs;
    std::size_t i = 0;
    std::size_t j = 0;
    char32_t from = 0;
    while (i < left.size() || j < right.size()) {
      const char32_t left_first = i < left.size() ? std::max(left[i].first, from) : kBeyond;
      const char32_t right_first = j < right.size() ? std::max(right[j].first, from) : kBeyond;
      const char32_t first = std::min(left_first, right_first);
      const bool in_left = left_first == first;
      const bool in_right = right_first == first;
      char32_t last = in_left ? left[i].last : static_cast<char32_t>(left_first - 1);
      last = std::min(last, in_right ? right[j].last : static_cast<char32_t>(right_first - 1));
      take(first, last,
           Pair{in_left ? left[i].target : kRefused, in_right ? right[j].target : kRefused});
      from = last + 1;
      if (i < left.size() && left[i].last < from) ++i;
      if (j < right.size() && right[j].last < from) ++j;
    }
  }

  const std::vector<TextSet::State>& a_;
  const std::vector<TextSet::State>& b_;
  SchemaBudget* budget_;
  std::size_t arcs_ = 0;
  std::map<Pair, std::uint32_t> ids_;
  std::vector<Pair> pairs_;
  std::vector<TextSet::State> states_;
};

}  // namespace

TextSet TextSet::any() {
  static const auto states = std::make_shared<const std::vector<State>>(std::vector<State>{
      State{{Arc{0, kFirstSurrogate - 1, 0}, Arc{kLastSurrogate + 1, kLastCodePoint, 0}}, true}});
  TextSet set;
  set.states_ = states;
  return set;
}

const std::vector<TextSet::State>& TextSet::states() const {
  static const std::vector<State> none;
  return states_ ? *states_ : none;
}

std::size_t TextSet::size() const {
  return states().size() + count_arcs(states());
}

bool TextSet::is_any() const {
  return *this == any();
}

Result<TextSet> TextSet::of(const std::vector<std::string_view>& texts) {
  // Builds a trie; minimization merges equal suffixes.
  std::vector<TextSet::State> states(1);
  for (std::string_view text : texts) {
    std::uint32_t at = 0;
    while (!text.empty()) {
      const char32_t point = take_code_point(text);
      auto& arcs = states[at].arcs;
      const auto place = std::lower_bound(arcs.begin(), arcs.end(), point,
                                          [](const Arc& arc, char32_t p) { return arc.first < p; });
      if (place != arcs.end() && place->first == point) {
        at = place->target;
        continue;
      }
      const auto fresh = static_cast<std::uint32_t>(states.size());
      arcs.insert(place, Arc{point, point, fresh});
      states.emplace_back();
      at = fresh;
      if (states.size() > 16 * kMaxStates) return too_many();
    }
    states[at].accepting = true;
  }
  return from_states(states);
}

Result<TextSet> TextSet::of_length(std::size_t min, std::optional<std::size_t> max) {
  if (max && *max < min) return TextSet();
  const std::size_t last = max.value_or(min);
  if (last >= kMaxStates) return too_many();
  const std::vector<Arc> arcs = any().states().front().arcs;
  std::vector<TextSet::State> states(last + 1);
  for (std::size_t i = 0; i <= last; ++i) {
    states[i].accepting = i >= min;
    if (i == last && max) continue;
    states[i].arcs = arcs;
    for (Arc& arc : states[i].arcs) arc.target = static_cast<std::uint32_t>(std::min(i + 1, last));
  }
  return from_states(states);
}

Result<TextSet> TextSet::from_states(const std::vector<State>& states) {
  TextSet set;
  std::vector<State> minimal = minimal_states(states);
  if (minimal.size() > kMaxStates || count_arcs(minimal) > kMaxArcs) return too_many();
  if (!minimal.empty()) {
    set.states_ = std::make_shared<const std::vector<State>>(std::move(minimal));
  }
  return set;
}

bool TextSet::contains(std::string_view text) const {
  if (is_empty()) return false;
  std::uint32_t at = 0;
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    const auto& arcs = states()[at].arcs;
    const auto after = std::upper_bound(arcs.begin(), arcs.end(), point,
                                        [](char32_t p, const Arc& arc) { return p < arc.first; });
    if (after == arcs.begin() || std::prev(after)->last < point) return false;
    at = std::prev(after)->target;
  }
  return states()[at].accepting;
}

Result<TextSet> intersection(const TextSet& a, const TextSet& b, SchemaBudget* budget) {
  if (a.is_any()) return b;
  if (b.is_any()) return a;
  const auto both = [](bool in_a, bool in_b) { return in_a && in_b; };
  return Product(a, b, budget).run(both, both);
}

Result<TextSet> union_of(const TextSet& a, const TextSet& b, SchemaBudget* budget) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  const auto either = [](bool in_a, bool in_b) { return in_a || in_b; };
  return Product(a, b, budget).run(either, either);
}

Result<TextSet> difference(const TextSet& a, const TextSet& b, SchemaBudget* budget) {
  return Product(a, b, budget)
      .run([](bool in_a, bool in_b) { return in_a && !in_b; },
           [](bool alive, bool) { return alive; });
}

Result<TextSet> concatenation(const TextSet& a, const TextSet& b, SchemaBudget* budget) {
  TextNfa nfa;
  const auto start = nfa.add_state();
  const auto middle = nfa.add_state();
  const auto end = nfa.add_state();
  nfa.add_set(start, middle, a);
  nfa.add_set(middle, end, b);
  return nfa.to_set(start, end, budget);
}

}  // namespace pedro
