#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

#include "tools/checks.h"

namespace pedro {

/// Returns the text of a file before the work, the target of a link; "" if there is none.
using TextOfBase = std::function<std::string(const std::string& path)>;

/// The links of a commit with their targets, by path.
using LinksOfBase = std::map<std::string, std::string>;

/// Returns the files that are tests, expected outputs, or define the checks. Definitions are build
/// files, settings of runners and linters, CI workflows, git attributes, and scripts that a check
/// runs. Files that shadow a runner or a target (`pytest.py`, `test`) are included. Paths are
/// relative to the root.
///
/// With `base`, follows the scripts, included files, sub-makes and settings of test runners that
/// its definitions name. After 256 files, every file that looks like a script counts. Finds new
/// modules that shadow those of Python. `links` are those of the base. Without `base`, reads only
/// commands. With `paths`, all files of the base, finds programs that test others by their texts,
/// see tests_sources(). Files of `products` do not count by their names.
///
///     check_files({"src/a.py", "Makefile", "tests/test_a.py"}, checks)
///     -> {"Makefile", "tests/test_a.py"}
std::set<std::string> check_files(std::span<const std::string> changed,
                                  std::span<const Check> checks, const TextOfBase& base = {},
                                  const LinksOfBase& links = {},
                                  const std::set<std::string>& paths = {},
                                  const std::set<std::string>& products = {});

/// Returns true if the project is a plugin of pytest. Its sources import the runner.
bool is_runner_plugin(const TextOfBase& base);

}  // namespace pedro
