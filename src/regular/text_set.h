#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gbnf/schema_budget.h"

namespace pedro {

/// A regular set of Unicode texts. A pattern, a format, a length, a range of numbers or a list of
/// values describes it. Stored as the minimal DFA over code points with its states in breadth-first
/// order, so equal sets are equal values. Immutable; copies share the states.
///
/// The operations return an Error (kLimit) if the automaton would exceed kMaxStates or kMaxArcs, or
/// if the budget is spent. Patterns from users can make it grow exponentially.
///
///     PEDRO_TRY(const TextSet words, TextSet::of({"a", "ab", "abc"}));
///     PEDRO_TRY(const TextSet two, intersection(words, *TextSet::of_length(2, {})));
///     two.contains("ab")  // true. two == TextSet::of({"ab", "abc"})
class TextSet {
 public:
  static constexpr std::size_t kMaxStates = 4000;
  static constexpr std::size_t kMaxArcs = 50'000;

  /// Consumes one code point of first..last and continues at `target`.
  struct Arc {
    char32_t first = 0;
    char32_t last = 0;
    std::uint32_t target = 0;
    bool operator==(const Arc&) const = default;
  };
  struct State {
    std::vector<Arc> arcs;  ///< sorted, disjoint; rejects all other code points
    bool accepting = false;
    bool operator==(const State&) const = default;
  };

  /// The empty set.
  TextSet() = default;
  /// The set of all texts.
  static TextSet any();
  /// The set of exactly these texts (UTF-8).
  static Result<TextSet> of(const std::vector<std::string_view>& texts);
  /// The texts of `min` to `max` code points.
  static Result<TextSet> of_length(std::size_t min, std::optional<std::size_t> max);
  /// Builds the set of any deterministic automaton; state 0 is its start. Requires sorted, disjoint
  /// arcs.
  static Result<TextSet> from_states(const std::vector<State>& states);

  bool is_empty() const { return !states_; }
  bool is_any() const;
  /// Returns true if `text`, well-formed UTF-8, is in the set.
  bool contains(std::string_view text) const;

  /// The start is state 0; the empty set has no states. Every state can reach an accepting one.
  const std::vector<State>& states() const;

  /// Returns the number of states and arcs.
  std::size_t size() const;

  bool operator==(const TextSet& other) const { return states() == other.states(); }

 private:
  std::shared_ptr<const std::vector<State>> states_;  // null for the empty set
};

// The operations charge `budget` unless it is null.
Result<TextSet> intersection(const TextSet& a, const TextSet& b, SchemaBudget* budget = nullptr);
Result<TextSet> union_of(const TextSet& a, const TextSet& b, SchemaBudget* budget = nullptr);
/// The texts of `a` that are not in `b`.
Result<TextSet> difference(const TextSet& a, const TextSet& b, SchemaBudget* budget = nullptr);
/// The texts that are a text of `a` followed by one of `b`.
Result<TextSet> concatenation(const TextSet& a, const TextSet& b, SchemaBudget* budget = nullptr);

}  // namespace pedro
