#pragma once

#include <set>
#include <string>
#include <vector>

#include "git/repository.h"

namespace pedro {

/// Paths at which a commit differs from the work tree.
struct CommitCheck {
  std::set<std::string> otherwise;
  std::set<std::string> line_ends;  ///< paths that differ only in line ends
};

/// Compares `commit`, made of `files` on `base`, with the work tree. They can differ: attributes
/// may convert content, git skips some names, and commands may have replaced git's objects. Above
/// 64 MiB only sizes are compared. Errors are git's.
Result<CommitCheck> check_commit(const Repository& repository, const std::string& commit,
                                 const std::string& base, const std::vector<ChangedFile>& files);

}  // namespace pedro
