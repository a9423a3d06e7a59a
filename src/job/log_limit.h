#pragma once

#include <cstdint>

namespace pedro {

/// Size limits of a job's journal and of its answers.log. Both are read into memory as a whole, so
/// the limit applies to writing and reading. It also keeps a runaway job from filling the disk. A
/// job of a thousand rounds needs a few megabytes.
struct LogLimit {
  std::uint64_t max_bytes = 256u << 20;

  /// The size above which no round begins. The rest leaves room for a reply (at most 16 MiB) and
  /// its results.
  std::uint64_t full_bytes() const { return max_bytes - max_bytes / 8; }
  /// The size above which only the end of a job is written.
  std::uint64_t end_bytes() const { return max_bytes - max_bytes / 64; }
};

}  // namespace pedro
