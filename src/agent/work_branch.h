#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/repository.h"

namespace pedro {

/// The branch a job works on, and the way back to where the user was. leave() works although the
/// job was cancelled. Borrows the repository.
class WorkBranch {
 public:
  explicit WorkBranch(const Repository& repository) : repository_(repository) {}

  /// Makes a branch at the commit `base` and switches to it; where `name` is taken it gets a
  /// number. With "" the job works where HEAD is. An Error leaves the user where they were.
  Status make(const std::string& name, const std::string& base);

  /// For a job that has nothing to commit: HEAD goes back to where the user was, and the job's
  /// branch is removed. Files stay as they are, however git was used on the way: what was committed
  /// is uncommitted again.
  Status leave();

  /// The name of the job's branch; "" where there is none.
  const std::string& name() const { return name_; }

  /// What happened to other local branches since make(): "main: was moved from 1a2b to 3c4d".
  Result<std::vector<std::string>> moved_branches() const;

 private:
  Status create(const std::string& name);
  Status leave_from(const Repository& repository) const;

  const Repository& repository_;
  std::string name_;
  std::string base_;
  std::string start_branch_;  // "" where HEAD was detached
  std::string start_commit_;
  std::map<std::string, std::string> branches_;
};

}  // namespace pedro
