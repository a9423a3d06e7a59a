#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/delivery.h"
#include "git/repository.h"

namespace pedro {

/// The branch of a job and the user's position before it.
struct BranchPlace {
  std::string name;          ///< the job's branch; "": none, the job works at HEAD
  std::string base;          ///< commit at which the job starts
  std::string start_branch;  ///< "" if HEAD was detached
  std::string start_commit;
  std::map<std::string, std::string> branches;  ///< all local branches with their commits
  std::string staged = {};                      ///< see Repository::staged()
  bool stays = false;  ///< the branch has earlier work of the job, so it is never deleted
};

/// The commit of a stopped job, and the files that it left uncommitted in the user's checkout.
struct LeftBehind {
  std::string commit;
  std::vector<ChangedFile> files;
};

/// The branch of a job and the return to the user's position. leave() works even after a
/// cancellation. Borrows the repository; one thread.
class WorkBranch {
 public:
  /// `git_is_protected`: commands cannot move HEAD and branches, so moves are the user's and stay.
  explicit WorkBranch(const Repository& repository, bool git_is_protected = false)
      : repository_(repository), protected_(git_is_protected) {}

  /// Returns the user's current position, for a job without a branch that starts at `base`.
  Result<BranchPlace> here(const std::string& base) const;

  /// Creates a branch at the commit `base` and switches to it. A number is appended if `name`
  /// exists. With "" the job works at HEAD. Errors leave the user's position unchanged.
  Status make(const std::string& name, const std::string& base);

  /// Returns to the place of a stopped job: HEAD is on its branch at its base, and files are
  /// unchanged. Commits on the branch become uncommitted changes. The user's current position
  /// becomes the return target. Errors: kUsage if the user is elsewhere with uncommitted changes
  /// other than those of `left`. Also kUsage if the user has committed to the branch since.
  Status resume(BranchPlace place, const LeftBehind& left);

  /// Switches back to the user's position after a commit, and restores its files and index.
  /// `before` is the checkpoint before the job ("": none). It is needed only for files
  /// that contain both the user's and the job's changes. Other uncommitted files stay unchanged.
  /// Errors: HEAD or the user's branch was moved in the meantime, or a file is in the way.
  Status come_back(const Delivery& delivery, const std::string& before) const;

  /// Switches back to the user's position after an undo. Unlike leave(), keeps the job's branch.
  /// Returns false if HEAD is not on that branch.
  Result<bool> step_off(BranchPlace place);

  /// Switches back to the user's position and deletes the job's branch, for a job without a commit.
  /// Keeps a branch that BranchPlace::stays. Files stay unchanged, and commits on the branch become
  /// uncommitted changes. A user's own move of HEAD stays. Errors: the branch has commits of the
  /// user.
  Status leave();

  /// Returns the name of the job's branch; "" if there is none.
  const std::string& name() const { return place_.name; }
  const BranchPlace& place() const { return place_; }
  /// Returns true if the user had checked out the job's branch before the job.
  bool began_on_it() const { return !name().empty() && place_.start_branch == name(); }

  /// Returns the changes of other local branches since make(): "main: was moved from 1a2b to 3c4d".
  Result<std::vector<std::string>> moved_branches() const;

 private:
  Status create(const std::string& name);
  Status require_own_tip(const BranchPlace& place, const LeftBehind& left) const;
  Status require_no_more(const BranchPlace& place, const LeftBehind& left) const;
  Status begin_at(const std::string& branch, const std::string& commit, BranchPlace& place);
  Status go_back_to(const BranchPlace& place) const;
  Status leave_from(const Repository& repository) const;
  const std::string& start() const;
  Status require_start(const Repository& repository) const;
  Status require_commit(const Repository& repository, const std::string& commit) const;
  Status put_back(const Repository& repository, const std::vector<std::string>& files,
                  const std::string& before) const;

  Status leave_to_user(const Repository& repository) const;

  const Repository& repository_;
  bool protected_;
  BranchPlace place_;
  /// The files that were uncommitted when the user resumed the job; nullopt: those from before the
  /// job.
  std::optional<std::set<std::string>> carried_;
};

}  // namespace pedro
