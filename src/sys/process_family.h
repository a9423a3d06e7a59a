#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A started command and all its descendants: its process group, and orphans that left the group.
/// Orphans become children of this process. Excludes those with the marker of another active run.
/// Use each object in one thread; several may exist at once.
class ProcessFamily {
 public:
  /// Makes this process the reaper of orphans. Call it before the first process is started.
  static void prepare();
  /// Returns a marker that is unique among all runs.
  static std::string new_marker();

  ProcessFamily() = default;
  ProcessFamily(ProcessFamily&& other) noexcept { *this = std::move(other); }
  ProcessFamily& operator=(ProcessFamily&& other) noexcept;
  ~ProcessFamily();
  /// Starts a command. `start` starts a child that leads a session, and returns its process id.
  static Result<ProcessFamily> launch(std::string marker,
                                      const std::function<Result<int>()>& start);

  int leader() const { return leader_; }

  /// Returns the exit code of the leader, 128 + N if signal N ended it; nothing while it runs.
  /// Never blocks.
  std::optional<int> leader_exit();

  /// Returns true if processes other than the leader are alive, and reaps those that have ended.
  /// Exact only after the leader has ended: before that, its descendants have another parent.
  bool others_alive();

  /// Returns the leader while it runs, and the orphans that left its group. All other processes of
  /// the family descend from these.
  std::vector<int> roots();

  /// Sends a signal to the whole group and to orphans that left it.
  void signal(int number);

 private:
  ProcessFamily(int leader, std::string marker, std::vector<int> strangers)
      : leader_(leader), marker_(std::move(marker)), strangers_(std::move(strangers)) {}
  void find_orphans();

  int leader_ = 0;
  std::string marker_;
  std::optional<int> exit_;     // of the leader
  std::vector<int> strangers_;  // other children from before the start
  std::vector<int> orphans_;    // not reaped yet, so their ids are not reused
};

}  // namespace pedro
