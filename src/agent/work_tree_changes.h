#pragma once

#include <string>
#include <vector>

#include "agent/changed_file.h"
#include "agent/git_runner.h"
#include "agent/own_index.h"
#include "base/result.h"

namespace pedro {

/// Compares a work tree with a commit, regardless of the repository's own index. Caches the states
/// of unchanged files. `git` must always be of the same work tree; commits are full ids. One
/// thread. Errors: those of GitRunner.
class WorkTreeChanges {
 public:
  /// Returns staged, unstaged, later committed and untracked changes, but not ignored files. Sorted
  /// by path.
  Result<std::vector<ChangedFile>> list(const GitRunner& git, const std::string& commit);

  /// See Repository::diff().
  Result<std::string> diff(const GitRunner& git, const std::string& commit);

 private:
  /// Removes the files excluded by a sparse checkout.
  Status drop_sparse(const GitRunner& git, std::vector<ChangedFile>& files);

  OwnIndex index_;
};

}  // namespace pedro
