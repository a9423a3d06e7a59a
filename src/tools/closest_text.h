#pragma once

#include <optional>
#include <string_view>

#include "tools/line_table.h"

namespace pedro {

/// The lines that a text without an exact match probably refers to.
struct ClosestText {
  LineRange lines;
  bool only_blanks_differ = false;  ///< the same lines, except for blanks at their ends
};

/// Returns the lines of `table` that are most similar to `wanted`. Prefers lines that share most of
/// its lines, ignoring blanks at line ends. Otherwise returns the lines around the line nearest to
/// its longest one (similarity at least 0.6, as in aider's "did you mean"). Compares 50,000 lines
/// of the file (10,000 for similarity) with 100 of `wanted`. Only a hint: edits never use it.
std::optional<ClosestText> closest_text(const LineTable& table, std::string_view wanted);

}  // namespace pedro
