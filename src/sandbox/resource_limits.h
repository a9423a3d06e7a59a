#pragma once

#include <cstdint>

namespace pedro {

/// Resource limits of a command. 0: no limit.
struct ResourceLimits {
  std::uint64_t processes = 0;     ///< of the user, or of the sandbox's user namespace
  std::uint64_t memory_bytes = 0;  ///< data segment of one process
  std::uint64_t file_bytes = 0;    ///< size of one file
  std::uint64_t cpu_s = 0;         ///< CPU time of one process
};

}  // namespace pedro
