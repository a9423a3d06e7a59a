#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sys/file_system.h"

namespace pedro {

/// Finds files that the user changed during a job. Their last change (FileInfo::changed_ns) lies in
/// a wait. Only the model works then, and none of the job's tools, hooks and checks. A file that
/// the job changed too counts as the job's. One thread.
///
///     edits.add_wait(begin_ms, end_ms);
///     if (edits.is_users("README.md", info)) ...
class UserEdits {
 public:
  /// The time that a wait loses at both ends, since the times of files have the kernel's ticks.
  static constexpr long long kMarginMs = 20;

  /// Adds a wait after all earlier ones, in milliseconds since 1970-01-01 UTC.
  void add_wait(long long begin_ms, long long end_ms);

  /// Adds files that the user changed before the first wait, in an earlier process.
  void add_users(std::set<std::string> paths) { users_ = std::move(paths); }

  /// Call it for each changed file, also after the job's changes: it remembers these.
  bool is_users(const std::string& path, const FileInfo& info);

 private:
  struct Wait {
    long long begin_ns;
    long long end_ns;
  };
  std::vector<Wait> waits_;
  bool has_lost_time_ = false;  // the clock was set back: all files are the job's
  std::set<std::string> jobs_;
  std::set<std::string> users_;  // of an earlier process
};

}  // namespace pedro
