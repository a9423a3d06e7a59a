#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/repository.h"
#include "base/result.h"

namespace pedro {

/// The name of the branch for a task: PREFIX "issue-32-" and a slug of the title, or only the slug
/// where there is no issue (0). The slug is lower-case ASCII words joined by '-', at most 40
/// bytes; a title without any is left out, or "task".
std::string branch_name(std::string_view prefix, int issue_number, std::string_view title);

/// What the model wrote about its work.
struct CommitText {
  std::string subject;
  std::string body;
};

/// A commit message: the subject as one line of at most 72 characters (`fallback` where it is
/// blank), the body of at most 4000 bytes, and "Fixes #32" where there is an issue and the body
/// does not say so itself. Always ends in a newline.
std::string commit_message(const CommitText& text, int issue_number, std::string_view fallback);

struct DeliveryPlan {
  std::string branch;       ///< made at the start
  std::string base;         ///< the commit it was made at
  std::string base_branch;  ///< where a pull request goes; "" leaves it to GitHub's default
  int issue_number = 0;
  std::string title;  ///< of the task, for a commit without a subject
  CommitText text;
  std::vector<ChangedFile> before;  ///< dirty at the start: what is still the same is not ours
  std::set<std::string> generated;  ///< what the checks made: not ours either
  std::string patch_path;           ///< in the job's folder, which exists
  long long date_s = 0;             ///< of the commit, see Repository::commit()
  bool draft = true;                ///< the pull request is one to be looked at first
  std::string remote = "origin";
};

struct Delivery {
  bool nothing_changed = false;  ///< then the rest is empty, but `left_out`
  std::string branch;
  std::string commit;
  std::string message;
  std::vector<std::string> files;  ///< in the commit
  /// What the commit holds otherwise than the work tree that was checked, see
  /// check_commit().
  std::vector<std::string> otherwise;
  std::vector<std::string> line_ends;  ///< the same, where only these differ, by its attributes
  std::vector<std::string> mixed;      ///< of `files`: they also hold what was uncommitted before
  std::vector<std::string> left_out;   ///< generated: not in the commit
  std::vector<std::string> untouched;  ///< uncommitted before and still the same: not in the commit
  std::string patch_path;
  bool pushed = false;
  std::string pr_url;
  bool pr_existed = false;  ///< there was one for this branch: it was left as it is
  /// What failed after the commit was made: the patch, the push or the pull request.
  std::optional<Error> problem;
};

/// Brings the work tree's difference from the base into one commit on the branch, however the
/// model has used git on the way, and writes the patch. Error: there is no commit; the work tree is
/// as it was.
Result<Delivery> deliver(const DeliveryPlan& plan, const Repository& repository);

/// Pushes the commit and opens a pull request. Requires a delivery without a problem.
Status publish(const DeliveryPlan& plan, const Repository& repository, Delivery& delivery);

}  // namespace pedro
