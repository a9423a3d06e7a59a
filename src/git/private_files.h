#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"
#include "git/own_index.h"
#include "sys/file_system.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// The files that a user keeps from git, see PrivateBy: no job may make them part of its work.
/// Borrows nothing between calls; one thread. Errors: those of GitRunner.
///
///     PEDRO_RETURN_IF_ERROR(private_files.mark(git, index, commit, files));
///     // files[i].private_by of .env is kIgnored, though the job removed it from .gitignore
class PrivateFiles {
 public:
  /// Sets `private_by` of `files`, the changes from `commit`. `index` is the path of an index with
  /// `commit`. The first call also stores which files the repository's index hides, without those
  /// in `sparse`. Call it before the first command of this process.
  Status mark(const GitRunner& git, const std::string& index, const std::string& commit,
              const std::set<std::string>& sparse, std::vector<ChangedFile>& files);

  /// Stores the files and folders that git ignored before the first command of this process.
  void set_ignored(const GitRunner& git, std::vector<std::string> paths);
  /// Returns the `.gitignore` and `.gitattributes` files among them, such as `.venv/.gitignore`
  /// with `*`. A commit of add_rules_of() must contain them.
  const std::vector<std::string>& ignored_rules() const { return ignored_rules_; }
  /// Returns the first 1000 others, except build products. Folders end with '/'.
  const std::vector<std::string>& ignored() const { return ignored_; }
  /// Returns those that no longer exist.
  std::vector<std::string> removed(const GitRunner& git) const;

  /// Returns true if the contents of the file equal those of an ignored file. Remembers ignored
  /// files of 16 bytes to 1 MiB: at most 1000 files and 8 MiB, none inside ignored folders.
  bool is_copy(const GitRunner& git, const std::string& path) const;

  /// Removes the files from `files` that the rules of add_rules_of() ignore.
  Status drop_ignored(const GitRunner& git, std::vector<ChangedFile>& files);

  /// See Repository::add_rules_of().
  void add_rules_of(const std::string& commit);

 private:
  /// The rules of a commit.
  struct Rules {
    std::string commit;
    OwnIndex index;                       // of the commit
    std::optional<ScratchFolder> folder;  // has only its `.gitignore` files
    std::map<std::string, bool> ignored;  // known files
  };

  Status mark_ignored(const GitRunner& git, std::string index, Rules& rules,
                      std::vector<ChangedFile>& files) const;
  Result<std::set<std::string>> filtered(const GitRunner& git, const std::string& index,
                                         const std::vector<ChangedFile>& files);

  std::list<Rules> rules_;            // of add_rules_of()
  Rules compared_;                    // of the commit of mark(), if there are no others
  std::vector<std::string> ignored_;  // without `ignored_rules_`; folders end with '/'
  std::vector<std::string> ignored_rules_;
  std::set<std::uint64_t> contents_;  // hashes of `ignored_` files
  std::optional<std::set<std::string>> marked_in_index_;
};

/// Finds files that the user changed during a job. Their last change (FileInfo::changed_ns) lies in
/// a wait. Only the model works then, and none of the job's tools, hooks and checks. A file that
/// the job changed too counts as the job's. One thread.
///
///     edits.add_wait(begin_ms, end_ms);
///     if (edits.is_users("README.md", info)) ...
class UserEdits {
 public:
  /// The time that a wait loses at both ends, since the times of files have the kernel's ticks.
  static constexpr long long kMarginMs = 20;

  /// Adds a wait after all earlier ones, in milliseconds since 1970-01-01 UTC.
  void add_wait(long long begin_ms, long long end_ms);

  /// Adds files that the user changed before the first wait, in an earlier process.
  void add_users(std::set<std::string> paths) { users_ = std::move(paths); }

  /// Call it for each changed file, also after the job's changes: it remembers these.
  bool is_users(const std::string& path, const FileInfo& info);

 private:
  struct Wait {
    long long begin_ns;
    long long end_ns;
  };
  std::vector<Wait> waits_;
  bool has_lost_time_ = false;  // the clock was set back: all files are the job's
  std::set<std::string> jobs_;
  std::set<std::string> users_;  // of an earlier process
};

}  // namespace pedro
