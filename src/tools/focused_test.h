#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/checks.h"

namespace pedro {

/// A subset of a project's tests. At least one member is not empty.
struct TestFocus {
  std::string file;       ///< relative to the root of the tree
  std::string test_case;  ///< a name, or the runner's pattern
};

/// Returns a line for `sh -c` that runs only this subset, derived from the commands of checks.
/// Quotes both values. Errors (kRefused, for the model): no checks; the runner cannot run the
/// subset.
///
///     focused_test(checks, {"tests/test_a.py", ""})  // "python3 -m pytest -q './tests/test_a.py'"
Result<std::string> focused_test(const std::vector<Check>& checks, const TestFocus& focus);

}  // namespace pedro
