#pragma once

#include <string>

#include "base/result.h"
#include "sys/work_tree.h"

namespace pedro {

/// A part of a project's tests. Either may be empty, not both.
struct TestFocus {
  std::string file;       ///< below the root of the tree
  std::string test_case;  ///< a name, or what the runner takes for one
};

/// The line for `sh -c` that runs only this part; both values are quoted. Error (kRefused, for the
/// model): why there is none, and what the project's runner does take.
Result<std::string> focused_test(const WorkTree& tree, const TestFocus& focus);

/// `text` as one word of a shell line, whatever is in it.
std::string quoted_for_shell(std::string_view text);

}  // namespace pedro
