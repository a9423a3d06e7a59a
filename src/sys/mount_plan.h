#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/sandbox_view.h"

namespace pedro {

/// A root folder for a mount namespace of its own: what a view shows, at the same paths, with a
/// /proc and a small /dev of its own. Made before the child is there, carried out in it.
class MountPlan {
 public:
  /// `staging` is an empty folder; the root is put together on it. `own_proc_writes`: whether
  /// processes may write below /proc, which is the machine's where the user is its root.
  MountPlan(const SandboxView& view, std::string staging, bool own_proc_writes);

  /// Puts the root together and makes it this process'. 0, or the value of errno; `failed_at` is
  /// then the path that could not be made. For a child between clone and exec, in a mount namespace
  /// of its own: allocates nothing and calls nothing but the kernel.
  int carry_out(const char*& failed_at) const;

 private:
  enum class Step : std::uint8_t {
    kFolder,         // made where it is missing
    kFile,           // an empty one, to mount on
    kLink,           // `from` is what it says
    kBind,           // `from` and all that is mounted below it
    kBindReadOnly,   // the same
    kBindDevice,     // one file, the only kind of mount where devices work
    kMemory,         // a file system in memory
    kLeaveOut,       // what is mounted there, wherever the path is bound
    kReadOnlyAgain,  // what is there, and all below
    kProcesses,
    kTerminals,
  };
  struct Action {
    Step step;
    std::string from;
    std::string to;
  };

  void add(Step step, std::string from, const std::string& to);
  void add_folders_above(const std::string& path);
  void add_path(const std::string& path, bool writable);
  void add_devices();
  static int perform(const Action& action);

  std::string staging_;
  std::vector<Action> actions_;
};

}  // namespace pedro
