#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/environment.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Returns the paths in the work tree at `folder` (canonical) that affect git when the user runs
/// it. No command may change them, and they may be missing:
/// - folders of hooks; configuration files, including those of an `include`
/// - repositories of submodules, linked work trees and remotes, and other nested ones
/// - programs that the configuration, hooks or variables such as GIT_EXTERNAL_DIFF name by path
/// - folders of PATH, or only the names of git's own programs there if git tracks files in it
///
/// Skips tracked programs, whose changes appear in the commit, and repositories of is_product().
/// `repositories`: those in the folder, see RepositoryWatch::known(). Errors: kInterrupted; kUsage
/// if git's configuration cannot be listed.
Result<std::vector<std::string>> paths_git_obeys(const std::string& folder,
                                                 const std::vector<std::string>& repositories,
                                                 const Environment& environment,
                                                 const FileSystem& files, ProcessRunner& processes,
                                                 const CancelToken& cancel);

}  // namespace pedro
