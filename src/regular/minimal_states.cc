#include "regular/minimal_states.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace pedro {
namespace {

using Arc = TextSet::Arc;

constexpr std::uint32_t kNowhere = ~0u;

/// Finds the states that are reachable from the start and can reach an accepting state.
std::vector<bool> useful_states(const std::vector<TextSet::State>& states) {
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

/// Returns the length in code points of the shortest text that is accepted from each state.
std::vector<std::uint32_t> shortest_texts(const std::vector<TextSet::State>& states) {
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

/// Returns the same for the longest text, or kNowhere if the length is unbounded.
std::vector<std::uint32_t> longest_texts(const std::vector<TextSet::State>& states,
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

/// Partitions the states into classes of equivalent states. Refines classes (Moore), but revisits
/// only states with a target whose class has changed. The largest part of a split class keeps its
/// class (Hopcroft), so that states change classes rarely.
class Refinement {
 public:
  Refinement(const std::vector<TextSet::State>& states, const std::vector<bool>& useful)
      : states_(states),
        useful_(useful),
        sources_(states.size()),
        class_of_(states.size(), kNowhere),
        place_(states.size()),
        is_open_(states.size()) {
    for (std::uint32_t i = 0; i < states.size(); ++i) {
      if (!useful[i]) continue;
      for (const Arc& arc : states[i].arcs) {
        if (useful[arc.target]) sources_[arc.target].push_back(i);
      }
    }
  }

  /// Returns the class of each state; useless states have none.
  std::vector<std::uint32_t> run() && {
    begin_with_lengths();
    while (!open_.empty()) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> open_of_class;
      for (const std::uint32_t state : open_) {
        open_of_class[class_of_[state]].push_back(state);
      }
      std::vector<std::vector<std::uint32_t>> leaving;
      for (const auto& [from, open] : open_of_class) split(from, open, leaving);
      for (const std::uint32_t state : std::exchange(open_, {})) is_open_[state] = false;
      for (const std::vector<std::uint32_t>& part : leaving) make_class(part);
    }
    return std::move(class_of_);
  }

 private:
  // Starts with the lengths of accepted texts, which already distinguish most states.
  void begin_with_lengths() {
    const std::vector<std::uint32_t> shortest = shortest_texts(states_);
    const std::vector<std::uint32_t> longest = longest_texts(states_, useful_);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (useful_[i]) alike[{shortest[i], longest[i]}].push_back(i);
    }
    for (const auto& [lengths, states] : alike) make_class(states);
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (useful_[i]) open(i);
    }
  }

  void open(std::uint32_t state) {
    if (is_open_[state]) return;
    is_open_[state] = true;
    open_.push_back(state);
  }

  void make_class(const std::vector<std::uint32_t>& states) {
    const auto fresh = static_cast<std::uint32_t>(members_.size());
    members_.emplace_back();
    for (const std::uint32_t state : states) {
      if (class_of_[state] != kNowhere) leave(state);
      class_of_[state] = fresh;
      place_[state] = members_[fresh].size();
      members_[fresh].push_back(state);
      for (const std::uint32_t source : sources_[state]) open(source);
    }
  }

  void leave(std::uint32_t state) {
    std::vector<std::uint32_t>& members = members_[class_of_[state]];
    members[place_[state]] = members.back();
    place_[members.back()] = place_[state];
    members.pop_back();
  }

  std::vector<std::uint32_t> key_of(std::uint32_t state) const {
    std::vector<Arc> arcs;
    for (const Arc& arc : states_[state].arcs) {
      if (useful_[arc.target]) append_arc(arcs, Arc{arc.first, arc.last, class_of_[arc.target]});
    }
    std::vector<std::uint32_t> key;
    for (const Arc& arc : arcs) key.insert(key.end(), {arc.first, arc.last, arc.target});
    return key;
  }

  // The states that are not open form one part: the classes of their targets have not changed.
  void split(std::uint32_t from, const std::vector<std::uint32_t>& open,
             std::vector<std::vector<std::uint32_t>>& leaving) const {
    std::unordered_map<std::vector<std::uint32_t>, std::size_t, NumbersHash> part_of_key;
    std::vector<std::vector<std::uint32_t>> parts;
    for (const std::uint32_t state : open) {
      const auto [found, fresh] = part_of_key.emplace(key_of(state), parts.size());
      if (fresh) parts.emplace_back();
      parts[found->second].push_back(state);
    }
    const auto largest =
        std::max_element(parts.begin(), parts.end(),
                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const std::size_t others = members_[from].size() - open.size();
    if (others < largest->size()) {
      largest->clear();
      if (others > 0) {
        std::copy_if(members_[from].begin(), members_[from].end(), std::back_inserter(*largest),
                     [&](std::uint32_t state) { return !is_open_[state]; });
      }
    }
    for (std::vector<std::uint32_t>& part : parts) {
      if (!part.empty()) leaving.push_back(std::move(part));
    }
  }

  const std::vector<TextSet::State>& states_;
  const std::vector<bool>& useful_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<std::uint32_t> class_of_;
  std::vector<std::vector<std::uint32_t>> members_;  // of each class
  std::vector<std::size_t> place_;                   // position of each state in its class
  std::vector<std::uint32_t> open_;                  // to be revisited
  std::vector<bool> is_open_;
};

/// Returns the same automaton with one state per class, in breadth-first order.
std::vector<TextSet::State> merged(const std::vector<TextSet::State>& states,
                                   const std::vector<bool>& useful,
                                   const std::vector<std::uint32_t>& class_of) {
  std::vector<TextSet::State> out;
  if (states.empty() || !useful[0]) return out;
  std::vector<std::uint32_t> place(states.size(), kNowhere);  // by class
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
    const TextSet::State& state = states[example[i]];
    TextSet::State& made = out.emplace_back();
    made.accepting = state.accepting;
    for (const Arc& arc : state.arcs) {
      if (useful[arc.target]) append_arc(made.arcs, Arc{arc.first, arc.last, place_of(arc.target)});
    }
  }
  return out;
}

}  // namespace

void append_arc(std::vector<Arc>& arcs, const Arc& arc) {
  const bool joins =
      !arcs.empty() && arcs.back().last + 1 == arc.first && arcs.back().target == arc.target;
  if (joins) {
    arcs.back().last = arc.last;
  } else {
    arcs.push_back(arc);
  }
}

std::vector<TextSet::State> minimal_states(const std::vector<TextSet::State>& states) {
  const std::vector<bool> useful = useful_states(states);
  return merged(states, useful, Refinement(states, useful).run());
}

}  // namespace pedro
