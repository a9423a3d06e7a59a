#include "grammar/text_set.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "grammar/text_nfa.h"

namespace pedro {
namespace {

using State = TextSet::State;
using Arc = TextSet::Arc;

constexpr char32_t kFirstSurrogate = 0xD800;
constexpr char32_t kLastSurrogate = 0xDFFF;
constexpr std::uint32_t kNowhere = ~0u;
constexpr char32_t kBeyond = kLastCodePoint + 1;

Error too_many() {
  return Error{ErrorKind::kLimit, "more than 4000 states"};
}

char32_t decode(std::string_view& text) {
  const std::size_t length = utf8_sequence_length(text);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  char32_t point = length < 2 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3Fu);
  text.remove_prefix(std::max<std::size_t>(length, 1));
  return point;
}

void append_arc(std::vector<Arc>& arcs, char32_t first, char32_t last, std::uint32_t target) {
  const bool joins = !arcs.empty() && arcs.back().last + 1 == first && arcs.back().target == target;
  if (joins) {
    arcs.back().last = last;
  } else {
    arcs.push_back(Arc{first, last, target});
  }
}

/// States that are reached from the start and reach an accepting one.
std::vector<bool> useful_states(const std::vector<State>& states) {
  std::vector<std::vector<std::uint32_t>> sources(states.size());
  std::vector<bool> reached(states.size());
  std::vector<std::uint32_t> todo;
  if (!states.empty()) {
    reached[0] = true;
    todo.push_back(0);
  }
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    for (const Arc& arc : states[at].arcs) {
      sources[arc.target].push_back(at);
      if (reached[arc.target]) continue;
      reached[arc.target] = true;
      todo.push_back(arc.target);
    }
  }
  std::vector<bool> useful(states.size());
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (!states[i].accepting || !reached[i]) continue;
    useful[i] = true;
    todo.push_back(i);
  }
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    for (const std::uint32_t source : sources[at]) {
      if (useful[source]) continue;
      useful[source] = true;
      todo.push_back(source);
    }
  }
  return useful;
}

struct NumbersHash {
  std::size_t operator()(const std::vector<std::uint32_t>& numbers) const {
    std::uint64_t hash = numbers.size();
    for (const std::uint32_t number : numbers) {
      hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// How many code points the shortest text takes that is accepted from each state.
std::vector<std::uint32_t> shortest_texts(const std::vector<State>& states) {
  std::vector<std::vector<std::uint32_t>> sources(states.size());
  std::vector<std::uint32_t> shortest(states.size(), kNowhere);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    for (const Arc& arc : states[i].arcs) sources[arc.target].push_back(i);
    if (!states[i].accepting) continue;
    shortest[i] = 0;
    todo.push_back(i);
  }
  for (std::size_t i = 0; i < todo.size(); ++i) {
    for (const std::uint32_t source : sources[todo[i]]) {
      if (shortest[source] != kNowhere) continue;
      shortest[source] = shortest[todo[i]] + 1;
      todo.push_back(source);
    }
  }
  return shortest;
}

/// The same for the longest text; kNowhere where there is no longest.
std::vector<std::uint32_t> longest_texts(const std::vector<State>& states,
                                         const std::vector<bool>& useful) {
  std::vector<std::vector<std::uint32_t>> sources(states.size());
  std::vector<std::size_t> open(states.size());  // arcs whose target has no length yet
  std::vector<std::uint32_t> longest(states.size(), kNowhere);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (!useful[i]) continue;
    for (const Arc& arc : states[i].arcs) {
      if (!useful[arc.target]) continue;
      sources[arc.target].push_back(i);
      ++open[i];
    }
    if (open[i] == 0) todo.push_back(i);
  }
  std::vector<std::uint32_t> so_far(states.size());
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    longest[at] = so_far[at];
    for (const std::uint32_t source : sources[at]) {
      so_far[source] = std::max(so_far[source], longest[at] + 1);
      if (--open[source] == 0) todo.push_back(source);
    }
  }
  return longest;
}

/// A state's behaviour, where those of the states it leads to are known as classes.
std::vector<std::uint32_t> signature_of(const State& state, const std::vector<bool>& useful,
                                        const std::vector<std::uint32_t>& class_of) {
  std::vector<Arc> arcs;
  for (const Arc& arc : state.arcs) {
    if (useful[arc.target]) append_arc(arcs, arc.first, arc.last, class_of[arc.target]);
  }
  std::vector<std::uint32_t> signature{state.accepting ? 1u : 0u};
  signature.reserve(1 + 3 * arcs.size());
  for (const Arc& arc : arcs) signature.insert(signature.end(), {arc.first, arc.last, arc.target});
  return signature;
}

using Signatures = std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, NumbersHash>;

/// The useful states that no cycle leads to, each before those that it leads to.
std::vector<std::uint32_t> states_before_cycles(const std::vector<State>& states,
                                                const std::vector<bool>& useful) {
  std::vector<std::size_t> entries(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const Arc& arc : states[i].arcs) entries[arc.target] += useful[i] ? 1 : 0;
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (useful[i] && entries[i] == 0) order.push_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    for (const Arc& arc : states[order[done]].arcs) {
      if (--entries[arc.target] == 0 && useful[arc.target]) order.push_back(arc.target);
    }
  }
  return order;
}

/// Moore's refinement of the states with `among`, from which only such are reached. Beginning with
/// the lengths of what is accepted makes chains, which would take a round per state, a matter of
/// two rounds. Returns how many classes there are.
std::size_t refine(const std::vector<State>& states, const std::vector<bool>& among,
                   std::vector<std::uint32_t>& class_of) {
  const std::vector<std::uint32_t> shortest = shortest_texts(states);
  const std::vector<std::uint32_t> longest = longest_texts(states, among);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lengths;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!among[i]) continue;
    const auto fresh = static_cast<std::uint32_t>(lengths.size());
    class_of[i] = lengths.emplace(std::pair(shortest[i], longest[i]), fresh).first->second;
  }
  std::size_t count = 0;
  for (;;) {
    Signatures classes;
    std::vector<std::uint32_t> next = class_of;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!among[i]) continue;
      std::vector<std::uint32_t> key = signature_of(states[i], among, class_of);
      key.push_back(class_of[i]);
      next[i] = classes.emplace(std::move(key), classes.size()).first->second;
    }
    class_of = std::move(next);
    if (classes.size() == count) return count;
    count = classes.size();
  }
}

/// Which states are the same: states in one class differ in no text. Those that are not useful are
/// in no class. What no cycle leads to is settled from its end, each state once.
std::vector<std::uint32_t> classes_of(const std::vector<State>& states,
                                      const std::vector<bool>& useful) {
  const std::vector<std::uint32_t> before = states_before_cycles(states, useful);
  std::vector<bool> cyclic = useful;
  for (const std::uint32_t state : before) cyclic[state] = false;
  std::vector<std::uint32_t> class_of(states.size(), kNowhere);
  std::size_t count = refine(states, cyclic, class_of);
  Signatures classes;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (cyclic[i]) classes.emplace(signature_of(states[i], useful, class_of), class_of[i]);
  }
  for (std::size_t i = before.size(); i-- > 0;) {
    const auto [known, fresh] =
        classes.emplace(signature_of(states[before[i]], useful, class_of), count);
    class_of[before[i]] = known->second;
    if (fresh) ++count;
  }
  return class_of;
}

/// The same automaton with a state per class, in breadth-first order.
std::vector<State> merged(const std::vector<State>& states, const std::vector<bool>& useful,
                          const std::vector<std::uint32_t>& class_of) {
  std::vector<State> out;
  if (states.empty() || !useful[0]) return out;
  std::vector<std::uint32_t> place(states.size(), kNowhere);  // of a class
  std::vector<std::size_t> example;                           // a state of each class
  const auto place_of = [&](std::size_t state) {
    std::uint32_t& at = place[class_of[state]];
    if (at == kNowhere) {
      at = static_cast<std::uint32_t>(example.size());
      example.push_back(state);
    }
    return at;
  };
  place_of(0);
  for (std::size_t i = 0; i < example.size(); ++i) {
    const State& state = states[example[i]];
    State& made = out.emplace_back();
    made.accepting = state.accepting;
    for (const Arc& arc : state.arcs) {
      if (useful[arc.target]) append_arc(made.arcs, arc.first, arc.last, place_of(arc.target));
    }
  }
  return out;
}

/// Follows two automata at once; kNowhere is the state of one that has refused.
class Product {
 public:
  Product(const TextSet& a, const TextSet& b) : a_(a.states()), b_(b.states()) {}

  /// `accepts(in a, in b)` decides; `needed(a is alive, b is alive)` prunes.
  template <typename Accepts, typename Needed>
  Result<TextSet> run(Accepts accepts, Needed needed) {
    const Pair start{a_.empty() ? kNowhere : 0, b_.empty() ? kNowhere : 0};
    if (!needed(start.first != kNowhere, start.second != kNowhere)) return TextSet();
    id_of(start);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_.size() > 4 * TextSet::kMaxStates) return too_many();
      const Pair at = pairs_[i];
      State state;
      state.accepting = accepts(accepting(a_, at.first), accepting(b_, at.second));
      pair_arcs(at, [&](char32_t first, char32_t last, Pair to) {
        if (!needed(to.first != kNowhere, to.second != kNowhere)) return;
        append_arc(state.arcs, first, last, id_of(to));
      });
      states_.push_back(std::move(state));
    }
    return TextSet::from_states(states_);
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  static bool accepting(const std::vector<State>& states, std::uint32_t at) {
    return at != kNowhere && states[at].accepting;
  }

  std::uint32_t id_of(Pair pair) {
    const auto [found, fresh] = ids_.emplace(pair, static_cast<std::uint32_t>(pairs_.size()));
    if (fresh) pairs_.push_back(pair);
    return found->second;
  }

  // Every range of code points that at least one of them takes.
  template <typename Take>
  void pair_arcs(Pair at, Take take) const {
    static const std::vector<Arc> kNone;
    const auto& left = at.first == kNowhere ? kNone : a_[at.first].arcs;
    const auto& right = at.second == kNowhere ? kNone : b_[at.second].arcs;
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
           Pair{in_left ? left[i].target : kNowhere, in_right ? right[j].target : kNowhere});
      from = last + 1;
      if (i < left.size() && left[i].last < from) ++i;
      if (j < right.size() && right[j].last < from) ++j;
    }
  }

  const std::vector<State>& a_;
  const std::vector<State>& b_;
  std::map<Pair, std::uint32_t> ids_;
  std::vector<Pair> pairs_;
  std::vector<State> states_;
};

}  // namespace

TextSet TextSet::any() {
  TextSet set;
  set.states_.push_back(
      State{{Arc{0, kFirstSurrogate - 1, 0}, Arc{kLastSurrogate + 1, kLastCodePoint, 0}}, true});
  return set;
}

bool TextSet::is_any() const {
  return *this == any();
}

Result<TextSet> TextSet::of(const std::vector<std::string_view>& texts) {
  // A trie; what its branches end in alike is merged afterwards.
  std::vector<State> states(1);
  for (std::string_view text : texts) {
    std::uint32_t at = 0;
    while (!text.empty()) {
      const char32_t point = decode(text);
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
  const std::vector<Arc> arcs = any().states_[0].arcs;
  std::vector<State> states(last + 1);
  for (std::size_t i = 0; i <= last; ++i) {
    states[i].accepting = i >= min;
    if (i == last && max) continue;
    states[i].arcs = arcs;
    for (Arc& arc : states[i].arcs) arc.target = static_cast<std::uint32_t>(std::min(i + 1, last));
  }
  return from_states(states);
}

Result<TextSet> TextSet::from_states(const std::vector<State>& states) {
  const std::vector<bool> useful = useful_states(states);
  TextSet set;
  set.states_ = merged(states, useful, classes_of(states, useful));
  if (set.states_.size() > kMaxStates) return too_many();
  return set;
}

bool TextSet::contains(std::string_view text) const {
  if (states_.empty()) return false;
  std::uint32_t at = 0;
  while (!text.empty()) {
    const char32_t point = decode(text);
    const auto& arcs = states_[at].arcs;
    const auto after = std::upper_bound(arcs.begin(), arcs.end(), point,
                                        [](char32_t p, const Arc& arc) { return p < arc.first; });
    if (after == arcs.begin() || std::prev(after)->last < point) return false;
    at = std::prev(after)->target;
  }
  return states_[at].accepting;
}

Result<TextSet> intersection(const TextSet& a, const TextSet& b) {
  if (a.is_any()) return b;
  if (b.is_any()) return a;
  const auto both = [](bool in_a, bool in_b) { return in_a && in_b; };
  return Product(a, b).run(both, both);
}

Result<TextSet> union_of(const TextSet& a, const TextSet& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  const auto either = [](bool in_a, bool in_b) { return in_a || in_b; };
  return Product(a, b).run(either, either);
}

Result<TextSet> difference(const TextSet& a, const TextSet& b) {
  return Product(a, b).run([](bool in_a, bool in_b) { return in_a && !in_b; },
                           [](bool alive, bool) { return alive; });
}

Result<TextSet> concatenation(const TextSet& a, const TextSet& b) {
  TextNfa nfa;
  const auto start = nfa.add_state();
  const auto middle = nfa.add_state();
  const auto end = nfa.add_state();
  nfa.add_set(start, middle, a);
  nfa.add_set(middle, end, b);
  return nfa.to_set(start, end);
}

}  // namespace pedro
