#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "tools/checks.h"

namespace pedro {

/// Selects the files that are tests or define the checks: build files, settings of test runners,
/// CI workflows, git attributes, scripts that a check runs, and files that take
/// the place of a runner or of a target (`pytest.py`, `test`). Paths are relative to the root.
///
///     check_files({"src/a.py", "Makefile", "tests/test_a.py"}, checks)
///     -> {"Makefile", "tests/test_a.py"}
std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks);

}  // namespace pedro
