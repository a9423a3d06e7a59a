#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/changed_file.h"
#include "agent/commit_signing.h"
#include "agent/git_runner.h"
#include "agent/work_tree_changes.h"
#include "base/cancel.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"
#include "tools/git_command.h"

namespace pedro {

/// A git repository with a work tree, as delivery needs it. Keeps nothing but how git is
/// run, and an index of its own. Borrows everything; belongs to one thread. Errors are kUsage with
/// git's own words, or kInterrupted.
class Repository {
 public:
  /// The repository that `folder` lies in. Refused, each in its own words: git is not installed,
  /// no work tree, no commit yet.
  static Result<Repository> open(FileSystem& files, ProcessRunner& processes,
                                 const CancelToken& cancel, const std::string& folder);

  /// The top of the work tree. All paths are below it.
  const std::string& root() const { return git_.root(); }
  FileSystem& files() const { return git_.files(); }
  ProcessRunner& processes() const { return git_.processes(); }
  const CancelToken& cancel() const { return git_.cancel(); }

  /// The same repository, cancelled by another token: what must be done after a Ctrl-C.
  Repository with_cancel(const CancelToken& cancel) const {
    Repository other = *this;
    other.git_.use(cancel);
    return other;
  }

  /// The branch that is checked out; "" where HEAD is detached.
  Result<std::string> branch() const;
  /// The full id of the commit that `revision` names.
  Result<std::string> commit_id(const std::string& revision = "HEAD") const;
  /// The address of a remote; "" where there is none of that name.
  Result<std::string> remote_address(const std::string& remote = "origin") const;

  /// What in the work tree differs from `commit`: staged, unstaged, committed since and untracked,
  /// but not ignored. Sorted by path. Names may have any bytes. What git's index says of a file
  /// does not count: commands can write to it.
  Result<std::vector<ChangedFile>> changed_files(const std::string& commit) const;
  /// The same against HEAD, without what is generated: what makes the work tree dirty.
  Result<std::vector<ChangedFile>> uncommitted_files() const;

  /// The difference from `commit` as a unified diff for reading, untracked files at its end, 4 KB
  /// of each; without what is generated, and of the first 50 files (more are counted).
  Result<std::string> diff(const std::string& commit) const;

  /// A text that is the same as long as the work tree's difference from `commit` is: what builds
  /// leave behind, the paths in `without` and commits made on the way do not change it.
  Result<std::string> fingerprint(const std::string& commit,
                                  const std::set<std::string>& without) const;

  /// What a file holds in `commit`, made printable.
  Result<std::string> text_at(const std::string& commit, const std::string& path) const;

  /// Those of `paths`, which are files, that `commit` does not hold. Sorted.
  Result<std::vector<std::string>> not_in(const std::string& commit,
                                          const std::set<std::string>& paths) const;

  /// All local branches and where each stands.
  Result<std::map<std::string, std::string>> branches() const;

  /// `name`, or where that is taken, here or at a remote, with "-2", "-3" and so on.
  Result<std::string> free_branch_name(const std::string& name) const;
  /// Makes a branch at `base` and switches to it. An Error whose text has "cannot lock ref" may be
  /// somebody else's doing, who makes one of that name in this moment.
  Status create_branch(const std::string& name, const std::string& base) const;
  /// Switches to a branch, or detaches at a commit.
  Status switch_to(const std::string& revision) const;
  /// Removes a branch with whatever is only on it; not the one that is checked out.
  Status delete_branch(const std::string& branch) const;

  /// Puts HEAD on `branch` and the branch on `base`. Work tree and index stay as they are, so
  /// nothing that was done is lost, on whatever branch it was done. A merge in progress is dropped.
  Status settle(const std::string& branch, const std::string& base) const;

  /// The index becomes what HEAD holds; files stay as they are.
  Status unstage() const;

  /// The entries of the index that differ from HEAD, for restage().
  Result<std::string> staged() const;
  /// Writes these entries into the index and keeps the others.
  Status restage(const std::string& entries) const;

  /// Puts HEAD on a branch, or where that is "" on a commit; nothing else changes.
  Status point_head(const std::string& branch, const std::string& commit) const;

  /// Commits exactly these files as they lie in the work tree (one that is gone is deleted) on top
  /// of HEAD; what else is staged stays staged. Without an author's identity pedrocli's is used. No
  /// hook runs. Signs as write_commit() does. `date_s` is its date in seconds since 1970, 0 is now:
  /// the same work with the same date is the same commit, unless a signature has its own time.
  Result<NewCommit> commit(const std::vector<ChangedFile>& files, const std::string& message,
                           long long date_s = 0) const;

  /// A commit on top of `base` that holds these files as they lie in the work tree, and of the rest
  /// what `base` holds. No branch, index or reflog knows of it: `index` is the path of an index to
  /// make it with, which is removed. Returns its id.
  Result<std::string> snapshot(const std::string& base, const std::vector<ChangedFile>& files,
                               const std::string& index, const std::string& message) const;
  /// The commits that refs below `prefix` ("refs/NAME/") stand for, by the rest of their names.
  Result<std::map<std::string, std::string>> refs_below(const std::string& prefix) const;
  /// Makes or moves a ref, which is no branch; leaves no reflog.
  Status set_ref(const std::string& ref, const std::string& commit) const;
  /// Removes refs by their whole names, all of them or none.
  Status delete_refs(const std::vector<std::string>& refs) const;
  /// The submodules that are at other commits in `to` than in `from`, or in one of them only.
  Result<std::vector<std::string>> moved_submodules(const std::string& from,
                                                    const std::string& to) const;
  /// What leads from one commit to another, without submodules. `content` is not filled in.
  Result<std::vector<ChangedFile>> difference(const std::string& from, const std::string& to) const;
  /// The tree of `to` with those paths as `from` has them, or not at all. `index` as above.
  Result<std::string> with_paths_of(const std::string& from, const std::vector<ChangedFile>& paths,
                                    const std::string& to, const std::string& index) const;
  /// Turns the files of the work tree from what `from` holds, which they are, into what `to` holds;
  /// others stay as they are, folders that become empty go. Nothing is touched where that cannot be
  /// done. `index` as above.
  Status move_files(const std::string& from, const std::string& to, const std::string& index) const;
  /// The submodules of a commit: paths, and the commits that they are at.
  Result<std::map<std::string, std::string>> submodules(const std::string& commit) const;
  /// Writes those paths (none: all) as a checkout of `commit` has them, attributes and all, below
  /// `folder`, which need not be there. Uses the path `folder` + ".index" meanwhile.
  Status check_out_below(const std::string& folder, const std::string& commit,
                         const std::set<std::string>& paths) const;
  /// Those of `folders`, paths below the root, that hold files which git ignores.
  Result<std::vector<std::string>> with_ignored(const std::vector<std::string>& folders) const;
  /// The path of an index of ours in the repository's own folder, with nothing of what a killed
  /// process left there. Nobody else is at work on it.
  Result<std::string> private_index(const std::string& name) const;

  /// Makes a linked work tree of this repository at `path`, with the files of `commit` and HEAD
  /// detached there.
  Status add_work_tree(const std::string& path, const std::string& commit) const;
  /// Removes the linked work tree at `path`, or what git remembers of one that is gone.
  Status remove_work_tree(const std::string& path) const;
  /// The top of another work tree of this repository, the main one where that is there.
  Result<std::string> other_work_tree() const;
  /// Whether a branch, here or of a remote, or a tag leads to `commit`.
  Result<bool> is_kept(const std::string& commit) const;

  /// Writes the commits from `base` to HEAD to `path`, as `git am` takes them.
  Status write_patch(const std::string& base, const std::string& path) const;

  /// Error (kUsage): a file of the work tree is part of git's configuration, by `include.path` or a
  /// link, so a command may have written where a push leads and what runs for it.
  Status require_own_configuration() const;
  /// Pushes the branch under its own name and follows it from then on.
  Status push(const std::string& remote, const std::string& branch) const;

 private:
  explicit Repository(GitRunner git) : git_(std::move(git)) {}

  Result<bool> exists(const std::string& ref) const;
  /// Of what the callers of this class name: a full id is taken as it is.
  Result<std::string> full_id(const std::string& commit) const;
  Result<bool> is_taken(const std::string& branch) const;
  /// `index` is the path of another index than the repository's, or "".
  Status stage(const std::vector<ChangedFile>& files, const std::string& index) const;
  /// The `git commit-tree` that commits these files on top of `base`.
  Result<std::vector<std::string>> commit_arguments(const std::string& index,
                                                    const std::string& base,
                                                    const std::vector<ChangedFile>& files) const;

  GitRunner git_;
  std::shared_ptr<WorkTreeChanges> changes_ = std::make_shared<WorkTreeChanges>();  // of all copies
};

}  // namespace pedro
