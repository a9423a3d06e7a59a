#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "gbnf/gbnf.h"
#include "regular/text_set.h"

namespace pedro {

/// A nondeterministic automaton under construction (Thompson), with its conversion to a TextSet
/// (subset construction). Epsilon moves may be limited to the beginning or the end of the text, for
/// the anchors of patterns. One thread.
class TextNfa {
 public:
  using StateId = std::uint32_t;
  static constexpr std::size_t kMaxStates = 20'000;
  static constexpr std::size_t kMaxArcs = 200'000;

  enum class Where : std::uint8_t { kAnywhere, kAtBegin, kAtEnd };

  StateId add_state();
  void add_move(StateId from, StateId to, Where where = Where::kAnywhere);
  void add_arc(StateId from, StateId to, std::span<const CharRange> ranges);
  /// Adds the automaton of `set` between two states.
  void add_set(StateId from, StateId to, const TextSet& set);

  /// Returns true if there are more than kMaxStates states or kMaxArcs arcs, so that to_set() will
  /// fail. Callers that add states in a loop must check it.
  bool too_large() const { return states_.size() > kMaxStates || arcs_ > kMaxArcs; }

  /// Returns the texts on the paths from `start` to `accept`. Error (kLimit): too many states in
  /// this automaton or in the result. Charges `budget` unless it is null.
  Result<TextSet> to_set(StateId start, StateId accept, SchemaBudget* budget = nullptr) const;

 private:
  struct Move {
    StateId to = 0;
    Where where = Where::kAnywhere;
  };
  struct Arc {
    char32_t first = 0;
    char32_t last = 0;
    StateId to = 0;
  };
  struct State {
    std::vector<Move> moves;
    std::vector<Arc> arcs;
  };
  class Subsets;

  std::vector<State> states_;
  std::size_t arcs_ = 0;
};

}  // namespace pedro
