#pragma once

#include <vector>

#include "sys/work_tree.h"
#include "tools/checks.h"

namespace pedro {

/// Finds the commands that test a project, by the files in its root. Each has further candidates in
/// `instead`, for a run that tests nothing. Runs nothing; reads at most a few hundred folders.
///
/// A Makefile or justfile with a `test` or `check` target speaks for the whole project. Otherwise
/// each ecosystem has one check: npm, Python, C and C++ (CMake, Meson), Cargo, Go, Java. Test files
/// of Python beside others need a configuration of pytest. CI workflows come last.
///
///     detect_checks(tree)  // {"test", "make test", "Makefile"}, with ctest in `instead`
std::vector<Check> detect_checks(const WorkTree& tree);

}  // namespace pedro
