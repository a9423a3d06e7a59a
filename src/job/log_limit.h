#pragma once

#include <cstdint>

namespace pedro {

/// How long a job's journal may become, and so its answers.log. Both are read whole, into memory,
/// where a job is looked at or gone on with: what may be written may be read, and a job that goes
/// on and on fills no disk. Jobs of a thousand rounds take some megabytes.
struct LogLimit {
  std::uint64_t max_bytes = 256u << 20;

  /// With more no round begins: what one writes, a reply (16 MiB at most) and what came of it, has
  /// room behind that.
  std::uint64_t full_bytes() const { return max_bytes - max_bytes / 8; }
  /// Only the end of a job is written behind that.
  std::uint64_t end_bytes() const { return max_bytes - max_bytes / 64; }
};

}  // namespace pedro
