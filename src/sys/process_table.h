#pragma once

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

}  // namespace pedro
