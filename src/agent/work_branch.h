#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/delivery.h"
#include "agent/repository.h"

namespace pedro {

/// Where a job works, and where the user was.
struct BranchPlace {
  std::string name;          ///< of the job's branch; "": none, it works where HEAD is
  std::string base;          ///< the commit it begins at
  std::string start_branch;  ///< "" where HEAD was detached
  std::string start_commit;
  std::map<std::string, std::string> branches;  ///< all of them, and where each stood
  std::string staged = {};                      ///< see Repository::staged()
};

/// The commit of a stopped job, and the files that it left uncommitted in the user's checkout.
struct LeftBehind {
  std::string commit;
  std::vector<ChangedFile> files;
};

/// The branch a job works on, and the way back to where the user was. leave() works although the
/// job was cancelled. Borrows the repository.
class WorkBranch {
 public:
  explicit WorkBranch(const Repository& repository) : repository_(repository) {}

  /// Makes a branch at the commit `base` and switches to it; where `name` is taken it gets a
  /// number. With "" the job works where HEAD is. An Error leaves the user where they were.
  Status make(const std::string& name, const std::string& base);

  /// The same place once more, for a job that was stopped there: HEAD is on its branch, and that is
  /// where it began; files stay as they are. What was committed on it is uncommitted again. Where
  /// the user is by now is the new way back. Error (kUsage): the user is elsewhere, with
  /// uncommitted changes other than those of `left`, or has committed to the branch since.
  Status resume(BranchPlace place, const LeftBehind& left);

  /// For a job that made a commit: switches back to where the user was, with the files and the
  /// index of before. `before` is a commit with the files before the job ("": none was kept); only
  /// files with changes of the user in the job's commit need it. Other uncommitted files stay as
  /// they are. Error: HEAD or the user's branch was moved meanwhile, or a file is in the way.
  Status come_back(const Delivery& delivery, const std::string& before) const;

  /// For a job that was undone: as leave(), but the job's branch stays as it is. False if HEAD is
  /// not on it.
  Result<bool> step_off(BranchPlace place);

  /// For a job that has nothing to commit: HEAD goes back to where the user was, and the job's
  /// branch is removed. Files stay as they are, however git was used on the way: what was committed
  /// is uncommitted again.
  Status leave();

  /// The name of the job's branch; "" where there is none.
  const std::string& name() const { return place_.name; }
  const BranchPlace& place() const { return place_; }

  /// What happened to other local branches since make(): "main: was moved from 1a2b to 3c4d".
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
  Status put_back(const Repository& repository, const std::vector<ChangedFile>& files,
                  const std::string& before) const;

  const Repository& repository_;
  BranchPlace place_;
  /// The uncommitted files where the user resumed the job; none: those from before the job.
  std::optional<std::set<std::string>> carried_;
};

}  // namespace pedro
