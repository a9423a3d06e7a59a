#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

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

/// Distinguishes a silent but working command from one that waits forever for input, a lock, or a
/// missing network. A command works if it prints, starts or ends a process, waits for a disk, or
/// shows the sign. Includes all its descendants. One thread.
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
