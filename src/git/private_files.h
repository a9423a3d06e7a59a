#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"
#include "git/own_index.h"

namespace pedro {

/// The files that a user keeps from git, see PrivateBy: no job may make them part of its work.
/// Borrows nothing between calls; one thread. Errors: those of GitRunner.
///
///     PEDRO_RETURN_IF_ERROR(private_files.mark(git, index, commit, files));
///     // files[i].private_by of .env is kIgnored, even if the job has removed it from .gitignore
class PrivateFiles {
 public:
  /// Sets `private_by` of `files`, the changes from `commit`. `index` is the path of an index with
  /// `commit`. The first call also stores which files the repository's index hides, without those
  /// in `sparse`. Call it before the first command of this process.
  Status mark(const GitRunner& git, const std::string& index, const std::string& commit,
              const std::set<std::string>& sparse, std::vector<ChangedFile>& files);

  /// Stores the files and folders that git ignored before the first command of this process.
  void set_ignored(const GitRunner& git, std::vector<std::string> paths);
  /// Returns the `.gitignore` files among them, such as `.venv/.gitignore` with `*`. The commit of
  /// use_rules_of() must contain them.
  const std::vector<std::string>& ignored_rules() const { return ignored_rules_; }
  /// Returns the ignored files and folders that no longer exist, except build products. Considers
  /// the first 1000.
  std::vector<std::string> removed(const GitRunner& git) const;

  /// See Repository::use_rules_of().
  void use_rules_of(const std::string& commit) {
    rules_commit_ = commit;
    compared_commit_.clear();
  }

 private:
  Status mark_ignored(const GitRunner& git, const std::string& index, const std::string& commit,
                      std::vector<ChangedFile>& files);
  Result<bool> has_hidden_rules(const GitRunner& git, const std::string& index,
                                const std::string& commit, const std::vector<std::string>& added,
                                const std::set<std::string>& listed);
  Result<bool> rules_were_dirty(const GitRunner& git, const std::string& commit);
  std::uint64_t content_of_ignored_rules(const GitRunner& git) const;

  OwnIndex rules_;            // of `rules_commit_`
  std::string rules_commit_;  // "": the commit of mark()
  std::string compared_commit_;
  bool rules_were_dirty_ = false;     // differed from `compared_commit_`
  std::vector<std::string> ignored_;  // folders end with '/'
  std::vector<std::string> ignored_rules_;
  std::uint64_t ignored_rules_content_ = 0;
  std::string tracked_at_;
  std::set<std::string> tracked_rules_;  // known `.gitignore` files of the commit `tracked_at_`
  std::optional<std::set<std::string>> marked_in_index_;
};

}  // namespace pedro
