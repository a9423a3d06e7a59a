#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Returns the work trees below `root` that have uncommitted work: submodules and other nested
/// repositories. No checkpoint has their files, so no command may change them. `repositories`: see
/// RepositoryWatch::known(). Includes those that git cannot read; skips those of is_product().
/// Errors: kInterrupted.
Result<std::vector<std::string>> nested_work(const std::string& root,
                                             const std::vector<std::string>& repositories,
                                             FileSystem& files, ProcessRunner& processes,
                                             const CancelToken& cancel);

}  // namespace pedro
