#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Versions of a line of code that differ from it in one place, as mutation testing makes them: a
/// comparison, an operator, a number, a negation, one more or one less, the order of two arguments
/// or of a slice. The likeliest faults come first. Knows no language; comments and strings stay as
/// they are. Empty for a line without code. O(n^2) in the line's bytes, for lines of at most
/// kMaxMutatedBytes; longer ones have none.
///
///     mutants_of("if (n < limit)");  // "if (n <= limit)", "if (n > limit)", …
std::vector<std::string> mutants_of(std::string_view line);

inline constexpr std::size_t kMaxMutatedBytes = 300;

}  // namespace pedro
