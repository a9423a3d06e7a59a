#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"
#include "git/new_commit.h"
#include "git/work_tree_changes.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/git_command.h"

namespace pedro {

/// A git repository with a work tree, for delivery and checkpoints. Copies share the cache of
/// changed_files(). Borrows all references; one thread. Errors: kUsage with git's output, or
/// kInterrupted.
///
///     PEDRO_TRY(Repository repository, Repository::open(files, processes, cancel, folder));
///     PEDRO_TRY(auto dirty, repository.uncommitted_files());
///     PEDRO_TRY(NewCommit made, repository.commit(dirty, "Fix sum\n"));
class Repository {
 public:
  /// Opens the repository that contains `folder`. Errors: also kUsage if git is not installed, if
  /// there is no work tree, or if it has no commit.
  static Result<Repository> open(FileSystem& files, ProcessRunner& processes,
                                 const CancelToken& cancel, const std::string& folder);

  /// Returns the root of the work tree. All paths are relative to it.
  const std::string& root() const { return git_.root(); }
  const GitRunner& git() const { return git_; }
  FileSystem& files() const { return git_.files(); }
  ProcessRunner& processes() const { return git_.processes(); }
  const CancelToken& cancel() const { return git_.cancel(); }

  /// Returns the same repository with another cancel token, for cleanup after Ctrl-C.
  Repository with_cancel(const CancelToken& cancel) const {
    Repository other = *this;
    other.git_.use(cancel);
    return other;
  }

  /// Returns the current branch; "" if HEAD is detached.
  Result<std::string> branch() const;
  /// Returns the full id of the commit that `revision` names.
  Result<std::string> commit_id(const std::string& revision = "HEAD") const;
  /// Returns the address of a remote; "" if it does not exist.
  Result<std::string> remote_address(const std::string& remote = "origin") const;

  /// Returns the differences of the work tree from `commit`: staged, unstaged, committed later, and
  /// untracked files, but not ignored ones. Sorted by path. Paths may have any bytes. Ignores the
  /// repository's own index, since commands can write to it.
  Result<std::vector<ChangedFile>> changed_files(const std::string& commit) const;
  /// Makes changed_files() repeat its last result, without a process. The caller then calls
  /// forget_changes() after each possible change of a file by something other than this object.
  void remember_changes() const { changes_->remember(); }
  void forget_changes() const { changes_->forget(); }
  /// The same if a wait has ended since then, see add_wait().
  void forget_after_wait() const { changes_->forget_after_wait(); }
  /// Adds a time in which only the user changes files, see UserEdits.
  void add_wait(long long begin_ms, long long end_ms) const {
    changes_->add_wait(git_, begin_ms, end_ms);
  }
  /// Adds files that the user changed in an earlier process of the job, see UserEdits.
  void add_users(std::set<std::string> paths) const { changes_->add_users(std::move(paths)); }
  /// Makes changed_files() mark new files that the `.gitignore` files of `commit` ignore, or those
  /// of an earlier call. Without a call, the rules are those of the compared commit.
  void add_rules_of(const std::string& commit) const { changes_->add_rules_of(commit); }
  /// Removes the files from `files` that these rules ignore.
  Status drop_ignored(std::vector<ChangedFile>& files) const {
    return changes_->drop_ignored(git_, files);
  }
  /// Returns the `.gitignore` and `.gitattributes` files that git ignored at the first
  /// changed_files(). Sorted.
  const std::vector<std::string>& ignored_rules() const { return changes_->ignored_rules(); }
  /// Returns the files and folders that git ignored then. See PrivateFiles::ignored().
  const std::vector<std::string>& ignored() const { return changes_->ignored(); }
  /// Returns those that no longer exist. See PrivateFiles.
  std::vector<std::string> removed_ignored() const { return changes_->removed_ignored(git_); }
  /// Returns true if a file has the bytes of a file that git ignored then. See PrivateFiles.
  bool is_copy_of_ignored(const std::string& path) const {
    return changes_->is_copy_of_ignored(git_, path);
  }
  /// Returns the differences from HEAD without generated and private files. The work tree is dirty
  /// if there are any.
  Result<std::vector<ChangedFile>> uncommitted_files() const;

  /// Returns the difference from `commit` as a unified diff for display. Untracked files are at the
  /// end, with 4 KB each. Omits generated and private files. Shows the first 50 files and the
  /// number of the others.
  Result<std::string> diff(const std::string& commit) const;

  /// Returns a text that changes with the work tree's difference from `commit`. Ignores generated
  /// files, the paths in `without`, and new commits.
  Result<std::string> fingerprint(const std::string& commit,
                                  const std::set<std::string>& without) const;

  /// Returns all local branches with their commits.
  Result<std::map<std::string, std::string>> branches() const;

  /// Returns `name`, or with "-2", "-3" etc. if a local or remote branch has that name.
  Result<std::string> free_branch_name(const std::string& name) const;
  /// Creates a branch at `base` and switches to it. An error with "cannot lock ref" may mean that
  /// another process is creating the same branch.
  Status create_branch(const std::string& name, const std::string& base) const;
  /// Switches to a branch, or to a commit with a detached HEAD.
  Status switch_to(const std::string& revision) const;
  /// Deletes a branch, including commits that only it contains. Fails for the current branch.
  Status delete_branch(const std::string& branch) const;

  /// Points HEAD to `branch` and the branch to `base`. Keeps the work tree and the index, so work
  /// on any branch is kept as changes. Ends a merge in progress.
  Status settle(const std::string& branch, const std::string& base) const;

  /// Resets the index to HEAD; keeps the files.
  Status unstage() const;

  /// Returns the index entries that differ from HEAD, for restage(), also those of `git add
  /// --intent-to-add`.
  Result<std::string> staged() const;
  /// Writes these entries to the index and keeps the others.
  Status restage(const std::string& entries) const;
  /// Sets the marks of NewCommit again.
  Status mark(const std::string& marks) const;

  /// Points HEAD to a branch, or to a commit if `branch` is ""; changes nothing else.
  Status point_head(const std::string& branch, const std::string& commit) const;

  /// Commits exactly these files of the work tree on HEAD; missing files are deleted. Other staged
  /// changes stay staged. Uses pedrocli's identity if no author is configured. Runs no hooks. Signs
  /// like write_commit(). `date_s` is the date in seconds since 1970, 0 for now. The same work with
  /// the same date results in the same commit, unless a signature contains a time.
  Result<NewCommit> commit(const std::vector<ChangedFile>& files, const std::string& message,
                           long long date_s = 0) const;

  /// Creates the same commit on `base`. HEAD, branches and the index stay.
  Result<NewCommit> commit_on(const std::string& base, const std::vector<ChangedFile>& files,
                              const std::string& message, long long date_s) const;
  /// Returns true if commit() has moved the branch to its tip, by the reflog. commit() writes it
  /// even if the user has reflogs off.
  Result<bool> is_own_tip(const std::string& branch) const;

  /// Creates a commit on `base` with these files of the work tree, and otherwise the contents of
  /// `base`. Git's attributes convert them, unlike those of a RawCommit. No branch, index or reflog
  /// refers to it. `index` is the path of a temporary index. Returns the commit's id.
  Result<std::string> snapshot(const std::string& base, const std::vector<ChangedFile>& files,
                               const std::string& index, const std::string& message) const;
  /// Returns the commits of the refs below `prefix` ("refs/NAME/"), by the rest of their names.
  Result<std::map<std::string, std::string>> refs_below(const std::string& prefix) const;
  /// Creates or moves a ref, without a new reflog.
  Status set_ref(const std::string& ref, const std::string& commit) const;
  /// Deletes refs by full name in one transaction.
  Status delete_refs(const std::vector<std::string>& refs) const;
  /// Returns the tracked files that a sparse checkout excludes from the work tree.
  Result<std::set<std::string>> left_out_files() const;
  /// Returns the folders that contain ignored files. Paths are relative to the root.
  Result<std::vector<std::string>> with_ignored(const std::vector<std::string>& folders) const;
  /// Returns the path of a private index in the git folder and removes leftovers of a killed
  /// process. Not for concurrent use.
  Result<std::string> private_index(const std::string& name) const;

  /// Creates a linked work tree at `path` with the files of `commit` and a detached HEAD. It has
  /// the user's sparse rules.
  Status add_work_tree(const std::string& path, const std::string& commit) const;
  /// Removes the linked work tree at `path`, or its record if it no longer exists.
  Status remove_work_tree(const std::string& path) const;
  /// Returns the root of another work tree of this repository, the main one if it exists. Errors:
  /// kUsage if there is none.
  Result<std::string> other_work_tree() const;
  /// Returns true if a local or remote branch or a tag contains `commit`.
  Result<bool> is_kept(const std::string& commit) const;

 private:
  explicit Repository(GitRunner git) : git_(std::move(git)) {}

  Result<bool> exists(const std::string& ref) const;
  /// Returns the full id of the commit at HEAD, "" without commits.
  Result<std::string> head_id() const;
  /// Returns the full id of a commit; accepts full ids without a check.
  Result<std::string> full_id(const std::string& commit) const;
  Result<bool> is_taken(const std::string& branch) const;
  /// Adds files to an index. `index` is the path of a private index, or "" for the repository's.
  /// Git's attributes convert them, except those for which that fails: a job may write any.
  Status stage(const std::vector<ChangedFile>& files, const std::string& index) const;
  Status set_marks(const std::string& marks, const char* skip, const char* assume) const;
  Result<std::string> marks_of(const std::vector<ChangedFile>& files) const;
  Status add_converted(std::span<const ChangedFile> files, const std::string& index) const;
  /// Returns the arguments of `git commit-tree` for a commit of these files on `base`.
  Result<std::vector<std::string>> commit_arguments(const std::string& index,
                                                    const std::string& base,
                                                    const std::vector<ChangedFile>& files) const;

  GitRunner git_;
  std::shared_ptr<WorkTreeChanges> changes_ =
      std::make_shared<WorkTreeChanges>();  // shared by copies
};

}  // namespace pedro
