#pragma once

#include <string>

#include "agent/repository.h"

namespace pedro {

/// A work tree for one job: a linked one of git (git-worktree(1)) in a folder outside of the
/// user's, whose files, index and HEAD stay untouched. Commits, branches and other refs are shared.
/// Submodules are empty folders in it. Belongs to one thread.
class OwnWorkTree {
 public:
  /// Makes the folder `path` with the files of `commit`, HEAD detached there. `repository` is the
  /// user's; what it borrows has to stay. No hook and no program that the repository names runs.
  static Result<OwnWorkTree> make(const Repository& repository, const std::string& path,
                                  const std::string& commit);

  /// One that a job has left behind at `path`. Error (kUsage): there is none, or it is the only one
  /// of its repository.
  static Result<OwnWorkTree> find(FileSystem& files, ProcessRunner& processes,
                                  const CancelToken& cancel, const std::string& path);

  /// Whether git knows nothing of the work tree at `path` any more: its repository was moved or
  /// removed, or has forgotten it. Nobody can tell then what in it is nowhere else.
  static bool is_cut_off(const FileSystem& files, const std::string& path);

  OwnWorkTree(OwnWorkTree&&) = default;
  OwnWorkTree& operator=(OwnWorkTree&&) = default;

  /// The work tree as a repository.
  const Repository& repository() const { return repository_; }
  const std::string& path() const { return repository_.root(); }
  /// The top of the work tree that it was made from, or of another of its repository.
  const std::string& main_root() const { return main_.root(); }

  /// Whether something in it is nowhere else: a file that no commit holds, as far as git does not
  /// ignore it and no build has left it, or a commit that neither a branch nor a tag leads to.
  Result<bool> has_work() const;

  /// Removes it with all that lies in it, also where it was cancelled. The branch stays.
  Status remove() const;

 private:
  OwnWorkTree(Repository main, Repository repository, std::string base)
      : main_(std::move(main)), repository_(std::move(repository)), base_(std::move(base)) {}

  Repository main_;
  Repository repository_;
  std::string base_;  // the commit it was made at; "" where that is not known
};

}  // namespace pedro
