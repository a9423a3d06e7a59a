#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// The part of a line that a mutant changes.
enum class MutantKind {
  kComparison,    ///< `<` for `<=`
  kNumber,        ///< 1 for 0
  kOperator,      ///< `-` for `+`, `and` for `or`, `max` for `min`
  kOffset,        ///< `n + 1` for `n`
  kOperand,       ///< `a` for `a - b`
  kNegation,      ///< `not a` for `a`
  kNeighbours,    ///< `f(b, a)` for `f(a, b)`, `[a:]` for `[:a]`
  kOperandOrder,  ///< `b - a` for `a - b`
  kVariable,      ///< another variable of the function
  kMember,        ///< another member that the function names
  kCall,          ///< `x` for `f(x)`
  kList,          ///< `[x]` for `[]`
  kBound,         ///< `x = max(x, …)` for `x = …`
  kCondition,     ///< `if a and b:` for `if a:`
  kTerm,          ///< `f(a - b)` for `f(a)`
  kFactor,        ///< `x = a % 60` for `x = a`
  kPlace,         ///< a statement after its block, or inside the block before it
  kReset,         ///< an `else` that sets a counter back
  kOrder,         ///< two statements in the other order
};
inline constexpr std::size_t kMutantKinds = 19;

/// A variant of a line of code.
struct Mutant {
  std::string line;
  MutantKind kind = MutantKind::kComparison;
  std::size_t rank = 0;   ///< among those of the line and kind; the likeliest is 0
  std::size_t place = 0;  ///< of the line, for the caller
  std::size_t more = 0;   ///< following lines that it replaces too
};

/// Returns variants of a line of code with one small change, as in mutation testing. Variables and
/// members come from `function`, the text around the line. Independent of the language; leaves
/// strings unchanged. Adds statement_mutants() if `line` is borrowed from `function`. Empty for
/// lines over kMaxMutatedBytes. O(n^2) in bytes.
///
///     mutants_of("if (n < limit)");  // "if (n <= limit)", "if (n > limit)", …
std::vector<Mutant> mutants_of(std::string_view line, std::string_view function = {});

/// Sorts mutants of several lines by their chance to be the fix. The chance of a kind is shared by
/// all its mutants, so that kinds with few mutants are first. Stable.
void sort_by_chance(std::vector<Mutant>& mutants);

inline constexpr std::size_t kMaxMutatedBytes = 300;

}  // namespace pedro
