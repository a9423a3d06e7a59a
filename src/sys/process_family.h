#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A started command and all that it starts: its process group, and what left the group and has
/// fallen to us as an orphan since the start, unless it carries the marker of another run that is
/// under way in its environment. Each belongs to one thread; several may live at once.
class ProcessFamily {
 public:
  /// To be called before the first process is started: orphans fall to this process, and their
  /// ends are reported.
  static void prepare();
  /// A marker that no other run has.
  static std::string new_marker();

  ProcessFamily() = default;
  ProcessFamily(ProcessFamily&& other) noexcept { *this = std::move(other); }
  ProcessFamily& operator=(ProcessFamily&& other) noexcept;
  ~ProcessFamily();
  /// `start` starts a child of ours that leads a session, and gives its process id.
  static Result<ProcessFamily> launch(std::string marker,
                                      const std::function<Result<int>()>& start);

  int leader() const { return leader_; }

  /// How the leader ended: what waitid() says of it.
  struct Exit {
    int code = 0;    ///< 128 + signal where one ended it
    int signal = 0;  ///< 0 where it ended by itself
  };
  /// Nothing while it runs. Never waits.
  const std::optional<Exit>& leader_exit();

  /// Whether others than the leader are alive; those that have ended are cleared away. Exact only
  /// once the leader has ended: before that its descendants are not our children.
  bool others_alive();

  /// The leader while it lives, and orphans that left its group: all else is below these.
  std::vector<int> roots();

  /// Sends a signal to the whole group and to the orphans that left it.
  void signal(int number);

 private:
  ProcessFamily(int leader, std::string marker, std::vector<int> strangers)
      : leader_(leader), marker_(std::move(marker)), strangers_(std::move(strangers)) {}
  void find_orphans();

  int leader_ = 0;
  std::string marker_;
  std::optional<Exit> exit_;
  std::vector<int> strangers_;  // children of ours from before
  std::vector<int> orphans_;    // ours until we reap them, so the numbers stay theirs
};

}  // namespace pedro
