#pragma once

#include <string>

#include "agent/repository.h"

namespace pedro {

/// The branch a job works on, and the way back to where the user was. Its steps work although the
/// job was cancelled, except make(). Borrows the repository.
class WorkBranch {
 public:
  explicit WorkBranch(const Repository& repository) : repository_(repository) {}

  /// Makes the branch at the commit `base` and switches to it. An Error leaves the user on the
  /// branch where they were.
  Status make(const std::string& name, const std::string& base);

  /// For a branch that nothing was committed to: back to where the user was, and the branch is
  /// removed. Does nothing where make() did not succeed.
  Status leave();

  /// The name of the branch; "" before make().
  const std::string& name() const { return name_; }

 private:
  Status leave(const std::string& branch) const;

  const Repository& repository_;
  std::string name_;
  std::string start_;  // branch, or commit where HEAD was detached
};

}  // namespace pedro
