#pragma once

#include <string>

#include "git/repository.h"

namespace pedro {

/// A work tree for one job: a linked work tree of git (git-worktree(1)) outside the user's folder.
/// The user's files, index and HEAD stay unchanged. Commits, branches and other refs are shared.
/// Submodules are empty folders. One thread.
class OwnWorkTree {
 public:
  /// Creates the folder `path` with the files of `commit` and a detached HEAD. `repository` is the
  /// user's; the objects it borrows must outlive the result. Runs no hooks and no programs of the
  /// repository. Errors: kUsage if `path` exists; git's.
  static Result<OwnWorkTree> make(const Repository& repository, const std::string& path,
                                  const std::string& commit);

  /// Opens the work tree that a job left at `path`. Errors: kUsage if it does not exist, or if it
  /// is the only work tree of its repository.
  static Result<OwnWorkTree> find(FileSystem& files, ProcessRunner& processes,
                                  const CancelToken& cancel, const std::string& path);

  /// Returns true if git has lost the work tree at `path`: its repository was moved or removed, or
  /// pruned it. Unsaved work in it can then not be detected.
  static bool is_cut_off(const FileSystem& files, const std::string& path);

  OwnWorkTree(OwnWorkTree&&) = default;
  OwnWorkTree& operator=(OwnWorkTree&&) = default;

  /// The work tree as a repository.
  const Repository& repository() const { return repository_; }
  const std::string& path() const { return repository_.root(); }
  /// Returns the root of its source work tree, or of another work tree of the same repository.
  const std::string& main_root() const { return main_.root(); }

  /// Returns true if it has unsaved work. This is an uncommitted file that is neither ignored nor
  /// generated, or a commit that no branch or tag contains.
  Result<bool> has_work() const;

  /// Removes the work tree with all files, even if cancelled. The branch stays.
  Status remove() const;

 private:
  OwnWorkTree(Repository main, Repository repository, std::string base)
      : main_(std::move(main)), repository_(std::move(repository)), base_(std::move(base)) {}

  Repository main_;
  Repository repository_;
  std::string base_;  // the commit it was created at; "" if unknown
};

}  // namespace pedro
