#pragma once

#include <cstdint>
#include <vector>

namespace pedro {

/// Tells a command that works in silence from one that waits for what never comes: its input, a
/// lock, a network that it does not have. Doing something is to print, to start or end a process,
/// to wait for a disk, or to use a hundredth of a processor, of the command or of whatever runs
/// below it. Where the kernel does not say what does, nothing is idle.
class IdleWatch {
 public:
  /// `leader` is alive, and all else is below it.
  IdleWatch(int leader, double limit_s);

  /// To be asked again and again. `now_s` since any moment, `printed` bytes since the start.
  bool is_idle(double now_s, std::uint64_t printed);

 private:
  struct Look {
    std::vector<int> processes;
    long long cpu_ticks = 0;
    bool waits_for_disk = false;
  };
  Look look() const;
  bool works(const Look& now, double for_s) const;

  int leader_;
  double limit_s_;
  bool can_tell_;
  double worked_s_ = 0;  // when it was last seen to do something
  double looked_s_ = 0;
  std::uint64_t printed_ = 0;
  Look last_;
};

}  // namespace pedro
