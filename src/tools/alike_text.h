#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/edit_text.h"
#include "tools/line_table.h"

namespace pedro {

/// Returns the occurrences of a text, ignoring differences that look the same. These are kinds of
/// blanks, quotes and dashes, invisible characters, and composed letters. An occurrence never
/// starts or ends within a letter and its marks. O(bytes of both).
std::vector<Occurrence> find_alike(std::string_view text, std::string_view wanted);

/// Returns `text` with the plain form of characters that `wanted` has and `found` lacks. These are
/// the kinds of blanks, quotes and dashes that find_alike() ignores. `found` is an occurrence.
std::string plain_like(std::string_view text, std::string_view wanted, std::string_view found);

/// Returns the text without the number and the separator before each line, as tools show lines.
/// Returns nullopt unless all lines have them, with ascending numbers.
std::optional<std::string> without_line_numbers(std::string_view text,
                                                std::string_view separator = "\t");

/// The lines that a text without an exact match probably refers to.
struct ClosestText {
  LineRange lines;
  bool only_blanks_differ = false;  ///< the same lines, except for blanks at their ends
};

/// Returns the lines of `table` that are most similar to `wanted`. Prefers lines that share most of
/// its lines, ignoring blanks at line ends. Otherwise returns lines around the line nearest to its
/// longest one (similarity at least 0.6, like aider's "did you mean"). Compares 50,000 lines of the
/// file (10,000 for similarity) with 100 of `wanted`. Only a hint: edits never use it.
std::optional<ClosestText> closest_text(const LineTable& table, std::string_view wanted);

}  // namespace pedro
