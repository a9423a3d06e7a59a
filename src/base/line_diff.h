#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pedro {

/// A line of a difference between two texts.
struct DiffRow {
  enum class Kind { kSame, kRemoved, kAdded, kGap };
  Kind kind = Kind::kSame;
  std::string_view line = {};  ///< without its line end; "" for a gap
  std::size_t number = 0;      ///< from 1, in the new text; of a removed line, in the old one
};

/// Returns the differing lines of two texts with at most `context` equal lines around them. A gap
/// replaces longer runs of equal lines. The rows are views of the texts. O(n · m) in the lines
/// between common begin and end; over 4 million pairs count as all different.
///
///     for (const DiffRow& row : line_diff("a\nb\n", "a\nc\n", 1)) ...  // " a", "-b", "+c"
std::vector<DiffRow> line_diff(std::string_view before, std::string_view after,
                               std::size_t context);

}  // namespace pedro
