#pragma once

#include <optional>
#include <vector>

namespace pedro {

/// What the kernel says of a process: proc(5), /proc/PID/stat.
struct ProcessStat {
  char state = '?';           ///< R runs, S sleeps, D waits for a disk, Z has ended
  long long start_ticks = 0;  ///< since boot
  long long cpu_ticks = 0;    ///< used by it, and by the children that it has waited for
};
/// Nothing where there is no such process.
std::optional<ProcessStat> process_stat(long pid);

/// The children of a process, of whichever of its threads; none where it has gone, or where the
/// kernel does not offer the list.
std::vector<int> children_of(long pid);
/// Whether the kernel does.
bool offers_children();

}  // namespace pedro
