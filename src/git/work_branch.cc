#include "git/work_branch.h"

#include <fmt/format.h>

#include <algorithm>

#include "git/raw_view.h"
#include "sys/sleep.h"

namespace pedro {
namespace {

constexpr int kMaxBranchTries = 100;
constexpr double kOthersNeed_s = 0.02;
constexpr std::size_t kShownId = 8;

}  // namespace

Result<BranchPlace> WorkBranch::here(const std::string& base) const {
  PEDRO_TRY(std::string branch, repository_.branch());
  PEDRO_TRY(std::string commit, repository_.commit_id("HEAD"));
  PEDRO_TRY(auto branches, repository_.branches());
  PEDRO_TRY(std::string staged, repository_.staged());
  return BranchPlace{
      "", base, std::move(branch), std::move(commit), std::move(branches), std::move(staged)};
}

Status WorkBranch::make(const std::string& name, const std::string& base) {
  PEDRO_TRY(place_, here(base));
  return name.empty() ? Status() : create(name);
}

Status WorkBranch::create(const std::string& name) {
  for (int i = 1;; ++i) {
    PEDRO_TRY(const std::string free_name, repository_.free_branch_name(name));
    const Status made = repository_.create_branch(free_name, place_.base);
    if (made) {
      place_.name = free_name;
      return made;
    }
    // Git may have been interrupted after the switch.
    const CancelToken none;
    const Repository repository = repository_.with_cancel(none);
    const Result<std::string> now = repository.branch();
    if (now && *now == free_name) {
      place_.name = free_name;
      (void)leave();
      return made;
    }
    // Another work tree may have taken the name in the meantime, or be about to.
    const bool locked = made.error().message.find("cannot lock ref") != std::string::npos;
    const Result<std::string> next = repository.free_branch_name(name);
    if (i == kMaxBranchTries || !next || (*next == free_name && !locked)) return made;
    if (locked) sleep_unless_cancelled(kOthersNeed_s, repository_.cancel());
  }
}

Status WorkBranch::resume(BranchPlace place, const LeftBehind& left) {
  PEDRO_TRY(const std::string branch, repository_.branch());
  PEDRO_TRY(const std::string commit, repository_.commit_id("HEAD"));
  if (place.name.empty()) {
    if (branch != place.start_branch || commit != place.start_commit) {
      return usage_error(fmt::format("the job worked at {}, on '{}'; check that out first",
                                     place.start_commit.substr(0, kShownId), place.start_branch));
    }
    place_ = std::move(place);
    return {};
  }
  if (Status own = require_own_tip(place, left); !own) return own;
  if (branch != place.name) {
    if (Status clean = require_no_more(place, left); !clean) return clean;
    const bool moved = branch != place.start_branch || commit != place.start_commit;
    const Status begun = moved ? begin_at(branch, commit, place) : Status();
    if (!begun) return begun;
    if (Status back = go_back_to(place); !back) return back;
  }
  place_ = std::move(place);
  if (Status settled = repository_.settle(place_.name, place_.base); !settled) return settled;
  // The index still contains the commit's files. Git treats new files in the index differently from
  // untracked ones.
  return branch == place_.name && commit == place_.base ? Status() : repository_.unstage();
}

Status WorkBranch::require_own_tip(const BranchPlace& place, const LeftBehind& left) const {
  PEDRO_TRY(const auto branches, repository_.branches());
  const auto tip = branches.find(place.name);
  if (tip == branches.end() || tip->second == left.commit || tip->second == place.base) return {};
  if (left.commit.empty()) {  // the job was killed, maybe after its commit
    PEDRO_TRY(const bool own, repository_.is_own_tip(place.name));
    if (own || !protected_) return {};
  }
  return usage_error(fmt::format(
      "branch {} has commits that are not the job's; rename it, or begin a new job", place.name));
}

Status WorkBranch::require_no_more(const BranchPlace& place, const LeftBehind& left) const {
  PEDRO_TRY(auto files, repository_.uncommitted_files());
  std::erase_if(files, [&](const ChangedFile& file) {
    return std::any_of(left.files.begin(), left.files.end(),
                       [&](const ChangedFile& known) { return same_state(known, file); });
  });
  if (files.empty()) return {};
  return usage_error(fmt::format(
      "the job's branch {} is not checked out, and the work tree has uncommitted changes; commit "
      "or stash them first",
      place.name));
}

Status WorkBranch::begin_at(const std::string& branch, const std::string& commit,
                            BranchPlace& place) {
  PEDRO_TRY(const auto files, repository_.uncommitted_files());
  PEDRO_TRY(std::string staged, repository_.staged());
  carried_.emplace();
  for (const ChangedFile& file : files) carried_->insert(file.path);
  place.start_branch = branch;
  place.start_commit = commit;
  place.staged = std::move(staged);
  return {};
}

Status WorkBranch::go_back_to(const BranchPlace& place) const {
  PEDRO_TRY(const auto branches, repository_.branches());
  if (!branches.contains(place.name)) return repository_.create_branch(place.name, place.base);
  // A command may have moved the branch. It is reset first, since this checkout runs outside the
  // sandbox.
  const Status moved = repository_.set_ref("refs/heads/" + place.name, place.base);
  return moved ? repository_.switch_to(place.name) : moved;
}

Status WorkBranch::come_back(const Delivery& delivery, const std::string& before) const {
  const CancelToken none;
  const Repository repository = repository_.with_cancel(none);
  if (Status there = require_commit(repository, delivery.commit); !there) return there;
  if (Status same = require_start(repository); !same) return same;
  std::vector<std::string> mixed;
  for (const std::string& path : delivery.mixed) {
    if (!carried_ || carried_->contains(path)) mixed.push_back(path);
  }
  if (!mixed.empty() && before.empty()) {
    return usage_error("no checkpoint has your uncommitted changes of " + mixed.front());
  }
  if (Status back = repository.switch_to(start()); !back) return back;
  if (Status back = put_back(repository, mixed, before); !back) return back;
  PEDRO_RETURN_IF_ERROR(repository.restage(place_.staged));
  return repository.mark(delivery.marks);
}

Status WorkBranch::put_back(const Repository& repository, const std::vector<std::string>& files,
                            const std::string& before) const {
  if (files.empty()) return {};
  repository.forget_changes();
  const Status written = RawView().write_files(repository.git(), before, files);
  return written ? written : written.error().at("your uncommitted changes are in commit " + before);
}

Status WorkBranch::require_commit(const Repository& repository, const std::string& commit) const {
  PEDRO_TRY(const std::string branch, repository.branch());
  PEDRO_TRY(const std::string head, repository.commit_id("HEAD"));
  if (branch == place_.name && head == commit) return {};
  return usage_error("HEAD was moved meanwhile");
}

Status WorkBranch::require_start(const Repository& repository) const {
  if (place_.start_branch.empty()) return {};
  PEDRO_TRY(const auto branches, repository.branches());
  const auto now = branches.find(place_.start_branch);
  if (now != branches.end() && now->second == place_.start_commit) return {};
  return usage_error(
      fmt::format("branch {} was moved from {} to {} meanwhile; check it out yourself",
                  place_.start_branch, place_.start_commit.substr(0, kShownId),
                  now == branches.end() ? "nowhere" : now->second.substr(0, kShownId)));
}

const std::string& WorkBranch::start() const {
  return place_.start_branch.empty() ? place_.start_commit : place_.start_branch;
}

Result<bool> WorkBranch::step_off(BranchPlace place) {
  PEDRO_TRY(const std::string branch, repository_.branch());
  if (place.name.empty() || branch != place.name) return false;
  place_ = std::move(place);
  PEDRO_RETURN_IF_ERROR(require_start(repository_));
  PEDRO_RETURN_IF_ERROR(repository_.point_head("", place_.base));
  Status off = repository_.unstage();
  if (off) off = repository_.switch_to(start());
  if (!off) {
    (void)repository_.point_head(place_.name, "");  // stays on its branch
    return off.error();
  }
  off = repository_.restage(place_.staged);
  return off ? Result<bool>(true) : Result<bool>(off.error());
}

Status WorkBranch::leave() {
  const CancelToken none;
  const Status left = leave_from(repository_.with_cancel(none));
  if (left) place_.name.clear();
  return left;
}

Status WorkBranch::leave_from(const Repository& repository) const {
  if (place_.start_commit.empty()) return {};
  if (protected_) {
    if (place_.name.empty()) return {};
    PEDRO_TRY(const std::string branch, repository.branch());
    PEDRO_TRY(const std::string head, repository.commit_id("HEAD"));
    if (branch != place_.name || head != place_.base) return leave_to_user(repository);
  }
  if (!place_.name.empty()) {
    if (Status settled = repository.settle(place_.name, place_.base); !settled) return settled;
  }
  if (place_.name.empty() && !place_.start_branch.empty()) {
    return repository.settle(place_.start_branch, place_.start_commit);
  }
  const bool moves_files = place_.base != place_.start_commit;
  if (moves_files) {
    if (Status same = require_start(repository); !same) return same;
  }
  const Status back = moves_files ? repository.switch_to(start())
                                  : repository.point_head(place_.start_branch, place_.start_commit);
  if (!back || place_.name.empty() || place_.stays) return back;
  return repository.delete_branch(place_.name);
}

// Deletes the branch if the user has left it without a commit.
Status WorkBranch::leave_to_user(const Repository& repository) const {
  PEDRO_TRY(const std::string branch, repository.branch());
  PEDRO_TRY(const auto branches, repository.branches());
  const auto tip = branches.find(place_.name);
  if (tip == branches.end()) return {};
  if (branch != place_.name && tip->second == place_.base) {
    return place_.stays ? Status() : repository.delete_branch(place_.name);
  }
  return usage_error(
      fmt::format("branch {} has commits that are not the job's; it stays", place_.name));
}

Result<std::vector<std::string>> WorkBranch::moved_branches() const {
  PEDRO_TRY(const auto now, repository_.branches());
  std::vector<std::string> lines;
  for (const auto& [branch, commit] : now) {
    if (branch == place_.name) continue;
    const auto before = place_.branches.find(branch);
    if (before == place_.branches.end()) {
      lines.push_back(fmt::format("{}: was made, at {}", branch, commit.substr(0, kShownId)));
    } else if (before->second != commit) {
      lines.push_back(fmt::format("{}: was moved from {} to {}", branch,
                                  before->second.substr(0, kShownId), commit.substr(0, kShownId)));
    }
  }
  for (const auto& [branch, commit] : place_.branches) {
    if (now.contains(branch)) continue;
    lines.push_back(
        fmt::format("{}: was removed, it was at {}", branch, commit.substr(0, kShownId)));
  }
  return lines;
}

}  // namespace pedro
