#pragma once

#include <vector>

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

}  // namespace pedro
