#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pedro {

/// A started command and all that it starts: its process group, and what left the group but
/// carries the run's marker in its environment and has fallen to us as an orphan. One thread.
class ProcessFamily {
 public:
  /// To be called before the first process is started: orphans fall to this process, and their
  /// ends are reported.
  static void prepare();
  /// A marker that no other run has.
  static std::string new_marker();

  /// `leader` is the process id of a child of ours that leads a session.
  ProcessFamily(int leader, std::string marker) : leader_(leader), marker_(std::move(marker)) {}

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

  /// Sends a signal to the whole group and to the orphans that left it.
  void signal(int number);

 private:
  void find_orphans();

  int leader_;
  std::string marker_;
  std::optional<Exit> exit_;
  std::vector<int> orphans_;  // ours until we reap them, so the numbers stay theirs
};

}  // namespace pedro
