#include "git/user_edits.h"

#include <algorithm>

namespace pedro {
namespace {

constexpr long long kNsPerMs = 1'000'000;

}  // namespace

void UserEdits::add_wait(long long begin_ms, long long end_ms) {
  const bool is_back = !waits_.empty() && (begin_ms - kMarginMs) * kNsPerMs < waits_.back().end_ns;
  has_lost_time_ = has_lost_time_ || is_back || end_ms < begin_ms;
  waits_.push_back({(begin_ms + kMarginMs) * kNsPerMs, (end_ms - kMarginMs) * kNsPerMs});
}

bool UserEdits::is_users(const std::string& path, const FileInfo& info) {
  if (waits_.empty() || info.changed_ns < waits_.front().begin_ns) return users_.contains(path);
  if (has_lost_time_ || jobs_.contains(path)) return false;
  const auto after = std::ranges::upper_bound(waits_, info.changed_ns, {}, &Wait::begin_ns);
  if (info.changed_ns < std::prev(after)->end_ns) return true;
  jobs_.insert(path);
  return false;
}

}  // namespace pedro
