#pragma once

#include <optional>
#include <set>
#include <string>

#include "agent/git_runner.h"
#include "base/result.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// An index of git's that holds a commit and what is known of the files of the work tree, outside
/// of the repository: no command can write to it. The repository's own may say of any file that it
/// has not changed (`git update-index --skip-worktree`, or other bytes in it). For one thread.
class OwnIndex {
 public:
  /// The path of the index, for the work tree as it is now. The first time git reads every file,
  /// from then on those that may have changed. `commit` is a full id.
  Result<std::string> at(const GitRunner& git, const std::string& commit);

  /// The files that a sparse checkout leaves out, by what the repository's index said when this was
  /// first asked.
  Result<const std::set<std::string>*> left_out(const GitRunner& git);

 private:
  Status fill(const GitRunner& git, const std::string& commit, const std::string& path);

  std::optional<ScratchFolder> folder_;
  std::optional<std::set<std::string>> left_out_;
  std::string commit_;  // what it holds, "" where it cannot be relied on
};

}  // namespace pedro
