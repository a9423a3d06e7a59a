#include "agent/work_branch.h"

namespace pedro {

Status WorkBranch::make(const std::string& name, const std::string& base) {
  Result<std::string> start = repository_.branch();
  if (start && start->empty()) start = repository_.commit_id("HEAD");
  if (!start) return start.error();
  start_ = std::move(*start);
  Status made = repository_.create_branch(name, base);
  if (made) {
    name_ = name;
    return made;
  }
  // git may have been interrupted after it had switched.
  const CancelToken none;
  const Result<std::string> now = repository_.with_cancel(none).branch();
  if (now && !now->empty() && *now != start_) (void)leave(*now);
  return made;
}

Status WorkBranch::leave() {
  if (name_.empty()) return {};
  const Status left = leave(name_);
  if (left) name_.clear();
  return left;
}

Status WorkBranch::leave(const std::string& branch) const {
  const CancelToken none;
  const Repository repository = repository_.with_cancel(none);
  if (Status back = repository.switch_to(start_); !back) return back;
  return repository.delete_branch(branch);
}

}  // namespace pedro
