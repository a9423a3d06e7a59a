#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "tools/checks.h"

namespace pedro {

/// Returns the files that are tests or define the checks. Definitions are build files, settings of
/// test runners, CI workflows, git attributes and scripts that a check runs. Files that shadow a
/// runner or a target (`pytest.py`, `test`) are included. Paths are relative to the root.
///
///     check_files({"src/a.py", "Makefile", "tests/test_a.py"}, checks)
///     -> {"Makefile", "tests/test_a.py"}
std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks);

}  // namespace pedro
