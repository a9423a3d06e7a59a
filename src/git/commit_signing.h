#pragma once

#include <string>
#include <vector>

#include "git/git_runner.h"

namespace pedro {

/// A new commit.
struct NewCommit {
  std::string id;
  std::string not_signed;  ///< the reason if a configuration asks for a signature; else ""
  /// Index marks that its files have lost: skip-worktree, assume-unchanged. See Repository::mark().
  std::string marks = {};
};

/// Runs `git commit-tree`. Signs the commit if the user's configuration (system, global,
/// environment) sets commit.gpgsign and the repository's does not unset it. The key must work
/// without a prompt; otherwise the commit is unsigned. Errors: see GitRunner::run().
Result<NewCommit> write_commit(const GitRunner& git, std::vector<std::string> arguments,
                               GitRunner::Options options);

}  // namespace pedro
