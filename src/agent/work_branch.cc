#include "agent/work_branch.h"

#include <fmt/format.h>

namespace pedro {
namespace {

constexpr int kMaxTries = 5;
constexpr std::size_t kShownId = 8;

}  // namespace

Status WorkBranch::make(const std::string& name, const std::string& base) {
  Result<std::string> branch = repository_.branch();
  if (!branch) return branch.error();
  Result<std::string> commit = repository_.commit_id("HEAD");
  if (!commit) return commit.error();
  auto branches = repository_.branches();
  if (!branches) return branches.error();
  start_branch_ = std::move(*branch);
  start_commit_ = std::move(*commit);
  branches_ = std::move(*branches);
  base_ = base;
  return name.empty() ? Status() : create(name);
}

Status WorkBranch::create(const std::string& name) {
  for (int i = 1;; ++i) {
    const Result<std::string> free_name = repository_.free_branch_name(name);
    if (!free_name) return free_name.error();
    const Status made = repository_.create_branch(*free_name, base_);
    if (made) {
      name_ = *free_name;
      return made;
    }
    // git may have been interrupted after it had switched.
    const CancelToken none;
    const Repository repository = repository_.with_cancel(none);
    const Result<std::string> now = repository.branch();
    if (now && *now == *free_name) {
      name_ = *free_name;
      (void)leave();
      return made;
    }
    // Somebody in another work tree may have taken the name meanwhile.
    const Result<std::string> next = repository.free_branch_name(name);
    if (i == kMaxTries || !next || *next == *free_name) return made;
  }
}

Status WorkBranch::leave() {
  const CancelToken none;
  const Status left = leave_from(repository_.with_cancel(none));
  if (left) name_.clear();
  return left;
}

Status WorkBranch::leave_from(const Repository& repository) const {
  if (start_commit_.empty()) return {};
  if (!name_.empty()) {
    if (Status settled = repository.settle(name_, base_); !settled) return settled;
  }
  if (name_.empty() && !start_branch_.empty()) {
    return repository.settle(start_branch_, start_commit_);
  }
  const std::string& start = start_branch_.empty() ? start_commit_ : start_branch_;
  const Status back = base_ == start_commit_ ? repository.point_head(start_branch_, start_commit_)
                                             : repository.switch_to(start);
  if (!back || name_.empty()) return back;
  return repository.delete_branch(name_);
}

Result<std::vector<std::string>> WorkBranch::moved_branches() const {
  const auto now = repository_.branches();
  if (!now) return now.error();
  std::vector<std::string> lines;
  for (const auto& [branch, commit] : *now) {
    if (branch == name_) continue;
    const auto before = branches_.find(branch);
    if (before == branches_.end()) {
      lines.push_back(fmt::format("{}: was made, at {}", branch, commit.substr(0, kShownId)));
    } else if (before->second != commit) {
      lines.push_back(fmt::format("{}: was moved from {} to {}", branch,
                                  before->second.substr(0, kShownId), commit.substr(0, kShownId)));
    }
  }
  for (const auto& [branch, commit] : branches_) {
    if (now->contains(branch)) continue;
    lines.push_back(
        fmt::format("{}: was removed, it stood at {}", branch, commit.substr(0, kShownId)));
  }
  return lines;
}

}  // namespace pedro
