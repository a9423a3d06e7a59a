#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// Detects the commands that test a project, from the files in its root. Each check has further
/// candidates in `instead`, for a run that tests nothing. Runs no commands, and reads at most a few
/// hundred folders.
///
/// A Makefile or justfile with a `test` or `check` target covers the whole project. Otherwise each
/// ecosystem has one check: npm, Python, C and C++ (CMake, Meson), Cargo, Go, Java. Python tests in
/// a project of another ecosystem require a configuration of pytest. CI workflows come last.
///
///     detect_checks(tree)  // {"test", "make test", "Makefile"}, with ctest in `instead`
std::vector<Check> detect_checks(const WorkTree& tree);

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
