#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "sys/process.h"

namespace pedro {

/// Variables for git with which nothing is started that the repository around `folder` names in its
/// own configuration: filters, drivers for differences and merges, helpers for credentials, ssh,
/// signatures, hooks of the configuration. What the user's own configuration names for
/// credentials stays, and git-lfs by its usual names. Empty where there is nothing of that kind, or
/// no repository. Error (kUsage): a name is not plain text; kInterrupted.
Result<std::map<std::string, std::string>> without_repository_programs(const std::string& folder,
                                                                       ProcessRunner& processes,
                                                                       const CancelToken& cancel);

}  // namespace pedro
