#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
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

/// A commit with the bytes of the work tree. No git attribute, filter or setting converts them.
/// Thus no command can prevent the commit, and a restore has the same bytes.
struct RawCommit {
  std::string ref;      ///< receives the commit, without a reflog
  std::string parent;   ///< a full id; the commit has its tree, except for the files
  std::string message;  ///< ends with a line end
};

/// Writes the commit by pedrocli, and its ref, with one process. Adds the state of each file:
/// bytes, link target, or commit of a submodule; removes missing files. Returns the commit's id.
/// Errors: git's; a file cannot be read.
Result<std::string> write_raw_commit(const GitRunner& git, const RawCommit& commit,
                                     const std::vector<ChangedFile>& files);

}  // namespace pedro
