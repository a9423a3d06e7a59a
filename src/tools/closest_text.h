#pragma once

#include <optional>
#include <string_view>

#include "tools/line_table.h"

namespace pedro {

/// Where a text that does not occur was probably meant.
struct ClosestText {
  LineRange lines;
  bool only_blanks_differ = false;  ///< the same lines, but for blanks at their ends
};

/// The lines of `table` most like `wanted`: those that share most of its lines, blanks at the ends
/// of a line apart, or else those around the line nearest to its longest one (at least 0.6 alike,
/// as in aider's "did you mean"). Looks at 50,000 lines of the file and 100 of `wanted`. Only a
/// hint: nothing is ever edited by likeness.
std::optional<ClosestText> closest_text(const LineTable& table, std::string_view wanted);

}  // namespace pedro
