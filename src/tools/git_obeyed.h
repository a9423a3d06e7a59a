#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Returns the paths in the work tree at `folder` (canonical) that git obeys when its owner uses
/// it, so that no command may change them: files of its configuration, also those that an `include`
/// names; the folder of hooks; programs that the configuration names by a path; the `.git` of
/// submodules. They may be missing. Skips tracked hooks and programs, whose changes appear in the
/// commit. Empty without a repository. Errors: kInterrupted; kUsage if git's configuration cannot
/// be listed.
Result<std::vector<std::string>> paths_git_obeys(const std::string& folder, const FileSystem& files,
                                                 ProcessRunner& processes,
                                                 const CancelToken& cancel);

}  // namespace pedro
