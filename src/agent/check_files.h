#pragma once

#include <set>
#include <span>
#include <string>

#include "agent/check_scripts.h"
#include "tools/checks.h"

namespace pedro {

/// Returns the files that are tests, expected outputs, or define the checks. Definitions are build
/// files, settings of runners and linters, CI workflows, git attributes, and scripts that a check
/// runs. Files that shadow a runner or a target (`pytest.py`, `test`) are included. Paths are
/// relative to the root.
///
/// With `base`, follows the scripts that the base's definitions run and the files that they
/// include (see CheckScripts), and finds new modules that shadow those of Python. `links` are those
/// of the base.
///
///     check_files({"src/a.py", "Makefile", "tests/test_a.py"}, checks)
///     -> {"Makefile", "tests/test_a.py"}
std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base = {},
                                  const LinksOfBase& links = {});

}  // namespace pedro
