#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/repository.h"
#include "secrets/secret_mask.h"

namespace pedro {

/// Returns the branch name of a task: PREFIX, "issue-32-" for an issue (not 0), and a slug of the
/// title. The slug has lower-case ASCII words joined by '-', at most 40 bytes. An empty slug is
/// omitted, or "task" without an issue.
std::string branch_name(std::string_view prefix, int issue_number, std::string_view title);

/// The commit message of the model.
struct CommitText {
  std::string subject;
  std::string body;
};

/// Formats a commit message that ends with a newline. The subject is one line of at most 72
/// characters (`fallback` if it is blank). The body has at most 4000 bytes. Adds "Fixes #32" if
/// there is an issue and the body lacks it.
std::string commit_message(const CommitText& text, int issue_number, std::string_view fallback);

/// The inputs of a delivery.
struct DeliveryPlan {
  std::string branch;       ///< created at the start
  std::string base;         ///< the commit it started from
  std::string base_branch;  ///< target of a pull request; "": GitHub's default
  int issue_number = 0;
  std::string title;  ///< of the task, for a commit without a subject
  CommitText text;
  std::vector<ChangedFile> before;      ///< dirty at the start; not delivered if unchanged
  std::set<std::string> generated;      ///< files that checks created; not delivered
  std::string patch_path;               ///< in the job's folder, which must exist
  std::string patch_base;               ///< the first commit before the patch; "": `base`
  long long date_s = 0;                 ///< of the commit, see Repository::commit()
  const SecretMask* secrets = nullptr;  ///< known secrets, which no commit may get; null: none
  bool draft = true;                    ///< opens the pull request as a draft
  std::string remote = "origin";
  /// Commands cannot move HEAD and branches, so it was the user who did.
  bool git_is_protected = false;
};

/// A delivered commit.
struct Delivery {
  bool nothing_changed = false;  ///< all other members except those of omitted files are empty
  std::string branch;
  std::string commit;
  std::string not_signed;  ///< see NewCommit
  std::string marks;       ///< the same
  std::string message;
  std::vector<std::string> files;  ///< in the commit
  bool has_lfs = false;            ///< git LFS stores the contents of some `files`
  /// Files that differ between the commit and the checked work tree, see CommitFiles.
  std::vector<std::string> otherwise;
  std::vector<std::string> line_ends;     ///< differ only in line ends, by git attributes
  std::vector<std::string> mixed;         ///< files of `files` with earlier uncommitted changes
  std::vector<std::string> left_out;      ///< generated: not in the commit
  std::vector<ChangedFile> kept_private;  ///< see PrivateBy; not in the commit
  std::vector<std::string> large;         ///< new and above 50 MiB; not in the commit
  std::vector<std::string> untouched;     ///< uncommitted before and unchanged; not in the commit
  std::string patch_path;
  bool left_branch = false;  ///< the checkout has left the branch
  std::string stayed;        ///< reason if the checkout was not switched back
  bool pushed = false;
  std::string pr_url;
  bool pr_existed = false;  ///< the branch already had a pull request
  /// The failure after the commit: in the patch, the push or the pull request.
  std::optional<Error> problem;
};

/// Commits all differences from the base as one commit on the branch, regardless of the model's own
/// git commands. Writes the patch. If the user has moved HEAD or the branch, the commit has the
/// uncommitted files of HEAD, and HEAD stays. The branch is another one if it has the user's
/// commits. Errors: git's; the work tree is then unchanged.
Result<Delivery> deliver(const DeliveryPlan& plan, const Repository& repository);

/// Writes the commits from `base` to `commit` to the file `path`, for `git am`. Errors: git's.
Status write_patch(const Repository& repository, const std::string& base, const std::string& commit,
                   const std::string& path);

/// Pushes the commit and opens a pull request. `delivery` must have no problem. Errors: git's or
/// gh's (kUsage), kInterrupted.
Status publish(const DeliveryPlan& plan, const Repository& repository, Delivery& delivery);

}  // namespace pedro
