#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// Returns variants of a line of code with one small change, as in mutation testing. A change
/// concerns a comparison, an operator, a number, a negation, an offset of one, two swapped
/// arguments, operands or slice bounds, or a variable replaced by another one of `function`, the
/// text around the line. Comparisons and numbers are first, variables last. Independent of the
/// language; leaves strings unchanged. Empty for lines over kMaxMutatedBytes. O(n^2) in bytes.
///
///     mutants_of("if (n < limit)");  // "if (n <= limit)", "if (n > limit)", …
std::vector<std::string> mutants_of(std::string_view line, std::string_view function = {});

inline constexpr std::size_t kMaxMutatedBytes = 300;

}  // namespace pedro
