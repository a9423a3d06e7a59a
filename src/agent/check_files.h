#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "tools/checks.h"

namespace pedro {

/// Returns the text of a file before the work; "" if there is none.
using TextOfBase = std::function<std::string(const std::string& path)>;

/// Returns the files that are tests or define the checks. Definitions are build files, settings of
/// test runners, CI workflows, git attributes and scripts that a check runs. Files that shadow a
/// runner or a target (`pytest.py`, `test`) are included. Paths are relative to the root.
///
/// With `base`, follows the scripts that the base's definitions run and the files that they
/// include, at most 64, and finds new modules that shadow those of Python.
///
///     check_files({"src/a.py", "Makefile", "tests/test_a.py"}, checks)
///     -> {"Makefile", "tests/test_a.py"}
std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base = {});

}  // namespace pedro
