#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/checks.h"

namespace pedro {

/// A part of a project's tests. Either may be empty, not both.
struct TestFocus {
  std::string file;       ///< below the root of the tree
  std::string test_case;  ///< a name, or what the runner takes for one
};

/// Makes a line for `sh -c` that runs only this part, from the command of a check; both values are
/// quoted. Error (kRefused, for the model): the runner takes no such part, or the command shows
/// none.
///
///     focused_test(checks, {"tests/test_a.py", ""})  // "python3 -m pytest -q './tests/test_a.py'"
Result<std::string> focused_test(const std::vector<Check>& checks, const TestFocus& focus);

/// `text` as one word of a shell line, whatever is in it.
std::string quoted_for_shell(std::string_view text);

}  // namespace pedro
