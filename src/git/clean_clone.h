#pragma once

#include <string>

#include "git/repository.h"

namespace pedro {

/// A clone for a check run: a new repository with one commit's files, like a user's `git clone`. It
/// has no settings, attributes, stashes, hooks and local branches of its source. It borrows the
/// objects, which must outlive it. Submodules are empty folders. One thread.
///
///     PEDRO_TRY(const CleanClone clone, CleanClone::make(repository, path, commit, "topic"));
class CleanClone {
 public:
  /// Creates the clone in the folder `path`, which must not exist. HEAD is the branch `branch`, or
  /// detached if that is "". Runs no hooks. Errors: git's; nothing is left then.
  static Result<CleanClone> make(const Repository& source, const std::string& path,
                                 const std::string& commit, const std::string& branch);

  const Repository& repository() const { return repository_; }

 private:
  explicit CleanClone(Repository repository) : repository_(std::move(repository)) {}

  Repository repository_;
};

}  // namespace pedro
