#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pedro {

/// The status of a process from /proc/PID/stat, see proc(5).
struct ProcessStat {
  char state = '?';           ///< R runs, S sleeps, D waits for a disk, Z is a zombie
  long long start_ticks = 0;  ///< since boot
  long long cpu_ticks = 0;    ///< used by it and by children that it reaped
};
/// Returns nothing if there is no such process.
std::optional<ProcessStat> process_stat(long pid);

/// Returns the number of system calls of a process that read or wrote, from /proc/PID/io. Returns
/// nullopt if there is no such process, or if it may not be inspected.
std::optional<long long> process_transfers(long pid);

/// Returns the children of all threads of a process. Returns none if it has ended, or if the kernel
/// offers no such list.
std::vector<int> children_of(long pid);
/// Returns the number of threads of `roots` and all their descendants. Stops counting at `limit`.
std::size_t count_threads(std::vector<int> roots, std::size_t limit);
/// Returns true if the kernel lists children.
bool offers_children();

/// A snapshot of the processes of a command.
struct ProcessLook {
  std::vector<int> processes;  ///< running processes, ancestors first
  long long cpu_ticks = 0;     ///< total of all processes
  bool waits_for_disk = false;
  /// Reads and writes so far of all processes; nullopt if the kernel does not say.
  std::optional<long long> transfers = 0;
};
/// Examines `roots` and all their descendants.
ProcessLook look_at(std::vector<int> roots);

/// Distinguishes a silent but working command from one that waits forever: for input, a lock, or a
/// network that it lacks. A command works if it prints, starts or ends a process, waits for a disk,
/// or shows the sign. Includes all its descendants. One thread.
class IdleWatch {
 public:
  enum class Sign {
    kComputes,   ///< uses 1% of a processor
    kTransfers,  ///< reads or writes; a command that only computes counts as idle
  };

  /// `limit_s` is the longest time without activity, in seconds; greater than 0.
  explicit IdleWatch(double limit_s, Sign sign = Sign::kComputes)
      : limit_s_(limit_s), sign_(sign) {}

  /// Returns true if the command has done nothing for the limit. Call it at least every tenth of
  /// the limit; it examines processes no more often than that. `now_s` is the time since the start
  /// of the command, `printed` the bytes that it has printed.
  bool is_idle(double now_s, std::uint64_t printed, const std::function<ProcessLook()>& look);

 private:
  bool works(const ProcessLook& now, double for_s) const;

  double limit_s_;
  Sign sign_;
  double worked_s_ = 0;  // time of the last activity
  double looked_s_ = 0;
  std::uint64_t printed_ = 0;
  ProcessLook last_;
};

}  // namespace pedro
