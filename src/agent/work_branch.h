#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/repository.h"

namespace pedro {

/// Where a job works, and where the user was.
struct BranchPlace {
  std::string name;          ///< of the job's branch; "": none, it works where HEAD is
  std::string base;          ///< the commit it begins at
  std::string start_branch;  ///< "" where HEAD was detached
  std::string start_commit;
  std::map<std::string, std::string> branches;  ///< all of them, and where each stood
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
  /// where it began; files stay as they are. What was committed on it is uncommitted again. Error
  /// (kUsage): the user is elsewhere, with uncommitted changes.
  Status resume(BranchPlace place);

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
  Status go_back_to(const BranchPlace& place) const;
  Status leave_from(const Repository& repository) const;

  const Repository& repository_;
  BranchPlace place_;
};

}  // namespace pedro
