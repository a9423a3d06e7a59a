#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"
#include "git/own_index.h"
#include "git/private_files.h"

namespace pedro {

/// Compares a work tree with a commit, regardless of the repository's own index. Caches the states
/// of unchanged files. `git` must always be of the same work tree; commits are full ids. One
/// thread. Errors: those of GitRunner.
///
///     changes.remember();  // from now on, forget() follows each possible change of a file
///     PEDRO_TRY(const std::vector<ChangedFile> files, changes.list(git, commit));
class WorkTreeChanges {
 public:
  /// Returns staged, unstaged, later committed and untracked changes, but not ignored files. Sorted
  /// by path.
  Result<std::vector<ChangedFile>> list(const GitRunner& git, const std::string& commit);

  /// Makes list() repeat its last result for the same commit until forget(), without a process.
  void remember() { remembers_ = true; }
  /// Makes list() examine the work tree again.
  void forget() { listed_.reset(); }
  /// The same if a wait has ended since list() examined it: the user may have changed files.
  void forget_after_wait() {
    if (has_waited_) forget();
  }

  /// See Repository::add_rules_of().
  void add_rules_of(const std::string& commit) {
    private_.add_rules_of(commit);
    forget();
  }
  /// See PrivateFiles::drop_ignored().
  Status drop_ignored(const GitRunner& git, std::vector<ChangedFile>& files) {
    return private_.drop_ignored(git, files);
  }
  /// See UserEdits::add_wait(). Marks no files if the clock of the disk differs from ours.
  void add_wait(const GitRunner& git, long long begin_ms, long long end_ms);
  /// See UserEdits::add_users().
  void add_users(std::set<std::string> paths) {
    user_edits_.add_users(std::move(paths));
    forget();
  }
  /// See PrivateFiles::ignored_rules().
  const std::vector<std::string>& ignored_rules() const { return private_.ignored_rules(); }
  /// See PrivateFiles::ignored().
  const std::vector<std::string>& ignored() const { return private_.ignored(); }
  /// See PrivateFiles::removed().
  std::vector<std::string> removed_ignored(const GitRunner& git) const {
    return private_.removed(git);
  }
  /// See PrivateFiles::is_copy().
  bool is_copy_of_ignored(const GitRunner& git, const std::string& path) const {
    return private_.is_copy(git, path);
  }

  /// See Repository::diff().
  Result<std::string> diff(const GitRunner& git, const std::string& commit);

 private:
  /// The last result of list().
  struct Listed {
    std::string commit;
    std::vector<ChangedFile> files;
  };
  Result<std::vector<ChangedFile>> examine(const GitRunner& git, const std::string& commit);
  Status add_forced(const GitRunner& git, const std::string& commit,
                    std::vector<ChangedFile>& files);

  OwnIndex index_;
  PrivateFiles private_;
  UserEdits user_edits_;
  std::optional<bool> has_disks_clock_;  // files get times of our clock
  bool knows_ignored_ = false;
  bool remembers_ = false;
  bool has_waited_ = false;
  std::optional<Listed> listed_;
  FileInfo users_index_state_;       // of the repository's index
  std::vector<std::string> forced_;  // files that only this index has, in that state
  std::string forced_commit_;
};

}  // namespace pedro
