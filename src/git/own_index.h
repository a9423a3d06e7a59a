#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "git/git_runner.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// A private git index with a commit. It is outside the repository, so no command can write to it.
/// The repository's own index may hide changes (`git update-index --skip-worktree`, or modified
/// bytes). One thread.
class OwnIndex {
 public:
  /// Reads `commit`, a full id, into the index unless it contains it, and returns the path. It
  /// keeps the states of files that git has written to it.
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
