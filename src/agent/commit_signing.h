#pragma once

#include <string>
#include <vector>

#include "agent/git_runner.h"

namespace pedro {

/// A new commit.
struct NewCommit {
  std::string id;
  std::string not_signed;  ///< the reason, if a configuration asks for a signature; else empty
};

/// Runs `git commit-tree` and signs the commit where the user's own configuration (system, global,
/// environment) sets commit.gpgsign and the repository's does not unset it. Needs a key that works
/// without a prompt; otherwise the commit is unsigned. Errors: as GitRunner::run().
Result<NewCommit> write_commit(const GitRunner& git, std::vector<std::string> arguments,
                               GitRunner::Options options);

}  // namespace pedro
