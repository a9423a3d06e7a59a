#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace pedro {

/// What the processes of a command have done until a moment.
struct ProcessLook {
  std::vector<int> processes;  ///< alive, from the outer to the inner ones
  long long cpu_ticks = 0;     ///< of all of them together
  bool waits_for_disk = false;
};
/// Those of `roots` and all that is below them.
ProcessLook look_at(std::vector<int> roots);

/// Tells a command that works in silence from one that waits for what never comes: its input, a
/// lock, a network that it does not have. Doing something is to print, to start or end a process,
/// to wait for a disk, or to use a hundredth of a processor, of the command or of whatever runs
/// below it. One thread.
class IdleWatch {
 public:
  /// `limit_s` is how long it may do nothing, in seconds; greater than 0.
  explicit IdleWatch(double limit_s) : limit_s_(limit_s) {}

  /// To be asked again and again, at least every tenth of the limit, which is as often as it looks.
  /// `now_s` is the time since the command was started, `printed` what it has printed, in bytes.
  bool is_idle(double now_s, std::uint64_t printed, const std::function<ProcessLook()>& look);

 private:
  bool works(const ProcessLook& now, double for_s) const;

  double limit_s_;
  double worked_s_ = 0;  // when it was last seen to do something
  double looked_s_ = 0;
  std::uint64_t printed_ = 0;
  ProcessLook last_;
};

}  // namespace pedro
