#pragma once

#include <optional>
#include <set>
#include <string>

#include "agent/git_runner.h"
#include "base/result.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// A private git index with a commit and the states of the work tree's files. It is outside the
/// repository, so no command can write to it. The repository's own index may hide changes (`git
/// update-index --skip-worktree`, or modified bytes). One thread.
class OwnIndex {
 public:
  /// Updates the index for the current work tree and returns its path. Git reads all files at the
  /// first call, later only those that may have changed. `commit` is a full id.
  Result<std::string> at(const GitRunner& git, const std::string& commit);

  /// Returns the files excluded by a sparse checkout, according to the repository's index at the
  /// first call.
  Result<const std::set<std::string>*> left_out(const GitRunner& git);

 private:
  Status fill(const GitRunner& git, const std::string& commit, const std::string& path);

  std::optional<ScratchFolder> folder_;
  std::optional<std::set<std::string>> left_out_;
  std::string commit_;  // the commit in the index; "" if it is not reliable
};

}  // namespace pedro
