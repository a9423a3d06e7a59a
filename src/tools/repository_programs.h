#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// What the repository around a folder would have git start.
struct RepositoryPrograms {
  /// Variables for git with which none of it is started. Empty where there is nothing of that kind.
  std::map<std::string, std::string> off;
  /// Whether a command can bring in others: files in the work tree are part of the configuration,
  /// or may be, because one names another. Then this has to be asked for again before each git.
  bool may_change = false;
};

/// The programs that the configuration of the repository at `folder` (canonical) names: filters,
/// drivers for differences and merges, helpers for credentials, ssh, signatures, hooks of the
/// configuration. Also those of files in its work tree that the user's own configuration leads to.
/// Keeps the user's credential helpers, and git-lfs and signing programs under their usual names.
/// Nothing where there is no repository. Error (kUsage): a name is not plain text; kInterrupted.
Result<RepositoryPrograms> repository_programs(const std::string& folder, const FileSystem& files,
                                               ProcessRunner& processes, const CancelToken& cancel);

/// A file in the work tree at `folder` that is part of git's configuration; "": there is none.
Result<std::string> configuration_in_tree(const std::string& folder, const FileSystem& files,
                                          ProcessRunner& processes, const CancelToken& cancel);

}  // namespace pedro
