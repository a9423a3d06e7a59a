#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A regular set of Unicode texts: what a pattern, a format, a length, a range of numbers or a list
/// of values allow. Held as the smallest deterministic finite automaton over code points, with its
/// states in breadth-first order, so that equal sets are equal values. Immutable.
///
/// The operations give an Error (kLimit) where the automaton would have more than kMaxStates
/// states: with patterns from outside it can grow exponentially.
class TextSet {
 public:
  static constexpr std::size_t kMaxStates = 4000;

  /// Takes one code point of first..last and goes on at `target`.
  struct Arc {
    char32_t first = 0;
    char32_t last = 0;
    std::uint32_t target = 0;
    bool operator==(const Arc&) const = default;
  };
  struct State {
    std::vector<Arc> arcs;  ///< sorted, apart; a code point in none of them is refused
    bool accepting = false;
    bool operator==(const State&) const = default;
  };

  /// No text at all.
  TextSet() = default;
  /// Every text.
  static TextSet any();
  /// These texts (UTF-8) and no others.
  static Result<TextSet> of(const std::vector<std::string_view>& texts);
  /// Texts of `min` to `max` code points.
  static Result<TextSet> of_length(std::size_t min, std::optional<std::size_t> max);
  /// From an automaton that may be of any shape; state 0 is its start. Requires sorted arcs.
  static Result<TextSet> from_states(const std::vector<State>& states);

  bool is_empty() const { return states_.empty(); }
  bool is_any() const;
  /// True where `text`, well-formed UTF-8, is in the set.
  bool contains(std::string_view text) const;

  /// Begins at state 0; no states is the empty set. From every state an accepting one is reached.
  const std::vector<State>& states() const { return states_; }

  bool operator==(const TextSet&) const = default;

 private:
  std::vector<State> states_;
};

Result<TextSet> intersection(const TextSet& a, const TextSet& b);
Result<TextSet> union_of(const TextSet& a, const TextSet& b);
/// What is in `a` but not in `b`.
Result<TextSet> difference(const TextSet& a, const TextSet& b);
/// A text of `a` followed by one of `b`.
Result<TextSet> concatenation(const TextSet& a, const TextSet& b);

}  // namespace pedro
