#pragma once

#include <set>
#include <string>
#include <vector>

#include "agent/repository.h"

namespace pedro {

/// Paths of a commit that do not hold what is in the work tree.
struct CommitCheck {
  std::set<std::string> otherwise;
  std::set<std::string> line_ends;  ///< where only these differ
};

/// Holds `commit`, which was made of `files` on `base`, against the work tree: attributes may have
/// git commit other bytes, it takes some names for none, commands may have put other objects in the
/// place of those that are. Of files with more than 64 MiB the size is compared. Errors are git's.
Result<CommitCheck> check_commit(const Repository& repository, const std::string& commit,
                                 const std::string& base, const std::vector<ChangedFile>& files);

}  // namespace pedro
