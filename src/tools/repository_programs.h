#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// The programs that a repository's configuration makes git run.
struct RepositoryPrograms {
  /// Environment variables for git that disable these programs. Empty if there are none.
  std::map<std::string, std::string> off;
  /// True if commands may add further programs. A file in the work tree is part of the
  /// configuration, or may become part of it. Repeat the query before each git command then.
  bool may_change = false;
  /// True if a setting makes git convert files: core.autocrlf, core.eol or core.attributesFile.
  bool converts = false;
};

/// Finds the programs in the configuration of the repository at `folder` (canonical). These are
/// filters, drivers for diff and merge, credential helpers, ssh, signing programs, and hooks in the
/// configuration. Includes files in the work tree that the user's configuration refers to. Keeps
/// the user's credential helpers, and git-lfs and signing programs under their usual names. Empty
/// without a repository. Errors: kUsage if a name is not plain text, or git fails; kInterrupted.
Result<RepositoryPrograms> repository_programs(const std::string& folder, const FileSystem& files,
                                               ProcessRunner& processes, const CancelToken& cancel);

/// Returns the path of a file in the work tree at `folder` that is part of git's configuration; ""
/// for none.
Result<std::string> configuration_in_tree(const std::string& folder, const FileSystem& files,
                                          ProcessRunner& processes, const CancelToken& cancel);

}  // namespace pedro
