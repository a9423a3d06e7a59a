#pragma once

#include <string>
#include <vector>

#include "sys/work_tree.h"

namespace pedro {

/// How a project is built and tested, by the file that says so.
enum class ProjectKind { kCMake, kMeson, kCargo, kGo, kMaven, kGradle, kMake, kNpm, kPytest };

struct Project {
  ProjectKind kind;
  std::string source;   ///< "Makefile": the file that was recognised
  std::string command;  ///< builds and tests all of it: one line for `sh -c`
};

/// What the files in the root of the tree suggest, in the order to check it. Where a compiled
/// language's build system is there, a Makefile beside it is taken for a wrapper; where none is, a
/// Makefile with a `test` or `check` target speaks for npm and pytest too. pytest beside anything
/// else needs to be configured; alone, files named like its tests are enough.
std::vector<Project> recognise_projects(const WorkTree& tree);

}  // namespace pedro
