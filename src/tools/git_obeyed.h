#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Returns the paths in the work tree at `folder` (canonical) that affect git when the user runs
/// it. No command may change them: configuration files, including those of an `include`; the folder
/// of hooks; programs that the configuration names by path; the `.git` of submodules. They may be
/// missing. Skips tracked hooks and programs, whose changes appear in the commit. Returns none
/// without a repository. Errors: kInterrupted; kUsage if git's configuration cannot be listed.
Result<std::vector<std::string>> paths_git_obeys(const std::string& folder, const FileSystem& files,
                                                 ProcessRunner& processes,
                                                 const CancelToken& cancel);

}  // namespace pedro
