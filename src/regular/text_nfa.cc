#include "regular/text_nfa.h"

#include <algorithm>
#include <map>
#include <utility>

#include "regular/minimal_states.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxSubsetMembers = 400'000;  // of all subsets together, to bound the time
constexpr std::size_t kMaxWork = 6'000'000;         // steps of the sweeps

}  // namespace

TextNfa::StateId TextNfa::add_state() {
  states_.emplace_back();
  return static_cast<StateId>(states_.size() - 1);
}

void TextNfa::add_move(StateId from, StateId to, Where where) {
  states_[from].moves.push_back(Move{to, where});
}

void TextNfa::add_arc(StateId from, StateId to, std::span<const CharRange> ranges) {
  arcs_ += ranges.size();
  if (too_large()) return;
  for (const CharRange& range : ranges) states_[from].arcs.push_back({range.first, range.last, to});
}

void TextNfa::add_set(StateId from, StateId to, const TextSet& set) {
  const auto offset = static_cast<StateId>(states_.size());
  for (std::size_t i = 0; i < set.states().size(); ++i) add_state();
  for (std::size_t i = 0; i < set.states().size(); ++i) {
    const TextSet::State& state = set.states()[i];
    const StateId at = offset + static_cast<StateId>(i);
    arcs_ += state.arcs.size();
    for (const TextSet::Arc& arc : state.arcs) {
      states_[at].arcs.push_back({arc.first, arc.last, offset + arc.target});
    }
    if (state.accepting) add_move(at, to);
  }
  if (!set.is_empty()) add_move(from, offset);
}

/// The subset construction. A subset is sorted and closed under the permitted epsilon moves.
class TextNfa::Subsets {
 public:
  Subsets(const std::vector<State>& states, SchemaBudget* budget)
      : states_(states), budget_(budget), stamp_of_(states.size(), 0) {}

  Result<TextSet> run(StateId start, StateId accept) {
    // Anchors require a separate state for the beginning, which has no incoming arcs.
    const Subset first = closed({start}, true, false);
    std::vector<TextSet::State> out;
    out.push_back(made(first, true, accept));
    for (std::size_t i = 0; i < subsets_.size(); ++i) {
      const Subset at = subsets_[i];  // a copy, because the list grows
      out.push_back(made(at, false, accept));
      members_ += at.size();
      const bool too_many = out.size() > 4 * TextSet::kMaxStates || arcs_ > 4 * TextSet::kMaxArcs ||
                            members_ > kMaxSubsetMembers || work_ > kMaxWork;
      const bool spent = budget_ != nullptr && !budget_->spend(std::exchange(charge_, 0));
      if (too_many || spent) {
        return Error{ErrorKind::kLimit, "a pattern with too many states"};
      }
    }
    return TextSet::from_states(out);
  }

 private:
  using Subset = std::vector<StateId>;

  Subset closed(Subset subset, bool at_begin, bool at_end) {
    ++stamp_;
    Subset todo = std::move(subset);
    Subset out;
    while (!todo.empty()) {
      const StateId at = todo.back();
      todo.pop_back();
      if (std::exchange(stamp_of_[at], stamp_) == stamp_) continue;
      out.push_back(at);
      for (const Move& move : states_[at].moves) {
        const bool open =
            move.where == Where::kAnywhere || (move.where == Where::kAtBegin ? at_begin : at_end);
        if (open) todo.push_back(move.to);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  TextSet::State made(const Subset& subset, bool at_begin, StateId accept) {
    TextSet::State state;
    const Subset ended = closed(subset, at_begin, true);
    state.accepting = std::binary_search(ended.begin(), ended.end(), accept);
    // Sweeps over the code points where an arc begins or ends.
    struct Change {
      char32_t at;
      StateId to;
      int by;
    };
    std::vector<Change> changes;
    for (const StateId member : subset) {
      for (const Arc& arc : states_[member].arcs) {
        changes.push_back({arc.first, arc.to, 1});
        changes.push_back({arc.last + 1, arc.to, -1});
      }
    }
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.at < b.at; });
    std::map<StateId, int> open;
    std::vector<std::pair<Subset, std::uint32_t>> known;  // sets of targets and their states
    for (std::size_t i = 0; i < changes.size();) {
      const char32_t first = changes[i].at;
      for (; i < changes.size() && changes[i].at == first; ++i) {
        int& count = open[changes[i].to];
        if ((count += changes[i].by) == 0) open.erase(changes[i].to);
      }
      if (open.empty()) continue;
      Subset targets;
      targets.reserve(open.size());
      for (const auto& [to, count] : open) targets.push_back(to);
      auto found = std::find_if(known.begin(), known.end(),
                                [&](const auto& row) { return row.first == targets; });
      if (found == known.end()) {
        Subset next = closed(targets, false, false);
        add_work(next.size() + known.size());
        const std::uint32_t target = id_of(std::move(next));
        found = known.insert(known.end(), {std::move(targets), target});
      }
      append_arc(state.arcs, {first, changes[i].at - 1, found->second});
      add_work(open.size());
    }
    arcs_ += state.arcs.size();
    add_work(16 + changes.size() + ended.size() + 4 * state.arcs.size());
    return state;
  }

  void add_work(std::size_t steps) {
    work_ += steps;
    charge_ += steps;
  }

  // Ids begin at 1, because state 0 of the result is the beginning.
  std::uint32_t id_of(Subset subset) {
    const auto [found, fresh] =
        ids_.emplace(std::move(subset), static_cast<std::uint32_t>(subsets_.size() + 1));
    if (fresh) subsets_.push_back(found->first);
    return found->second;
  }

  const std::vector<State>& states_;
  SchemaBudget* budget_;
  std::vector<std::uint32_t> stamp_of_;
  std::uint32_t stamp_ = 0;
  std::map<Subset, std::uint32_t> ids_;
  std::vector<Subset> subsets_;
  std::size_t members_ = 0;
  std::size_t arcs_ = 0;
  std::size_t work_ = 0;
  std::size_t charge_ = 0;  // work that is not charged yet
};

Result<TextSet> TextNfa::to_set(StateId start, StateId accept, SchemaBudget* budget) const {
  if (too_large()) return Error{ErrorKind::kLimit, "a pattern with too many states"};
  return Subsets(states_, budget).run(start, accept);
}

}  // namespace pedro
