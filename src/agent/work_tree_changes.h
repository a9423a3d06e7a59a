#pragma once

#include <string>
#include <vector>

#include "agent/changed_file.h"
#include "agent/git_runner.h"
#include "agent/own_index.h"
#include "base/result.h"

namespace pedro {

/// What in a work tree differs from a commit, whatever the repository's own index says of it. Knows
/// from one time to the next which files have not changed. `git` is always of the same work tree;
/// commits are full ids. For one thread. Errors are those of GitRunner.
class WorkTreeChanges {
 public:
  /// Staged, unstaged, committed since and untracked, but not ignored. Sorted by path.
  Result<std::vector<ChangedFile>> list(const GitRunner& git, const std::string& commit);

  /// See Repository::diff().
  Result<std::string> diff(const GitRunner& git, const std::string& commit);

 private:
  /// Without what a sparse checkout leaves out of the work tree.
  Status drop_sparse(const GitRunner& git, std::vector<ChangedFile>& files);

  OwnIndex index_;
};

}  // namespace pedro
