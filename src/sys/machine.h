#pragma once

#include <cstdint>

#include "sys/file_system.h"

namespace pedro {

/// The processors and the memory that this process may use.
struct Machine {
  /// Physical cores: of the processors that this process may run on, and at most the quota of its
  /// control group. At least 1.
  int cores = 1;
  /// Memory for new programs without swapping, in bytes: MemAvailable, and at most the limit of the
  /// control group. 0: unknown.
  std::uint64_t available_bytes = 0;
};

/// Reads /proc and /sys (proc(5), cgroups(7)). Missing files change nothing.
///
///     this_machine(files)  // {.cores = 8, .available_bytes = 28'000'000'000}
Machine this_machine(const FileSystem& files);

}  // namespace pedro
