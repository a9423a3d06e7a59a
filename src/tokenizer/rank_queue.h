#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// A priority queue of text positions by rank. pop() returns all positions of the lowest rank. A
/// text has few ranks and many positions, so this is cheaper than a heap of positions. Reuses its
/// memory: 8 bytes per queued position, 4 bytes per rank up to the highest rank pushed. Not
/// thread-safe.
class RankQueue {
 public:
  /// Requires rank ≤ kMaxRank.
  void push(std::uint32_t rank, std::uint32_t place);
  /// Moves the positions of the lowest rank to `places`, sorted. Returns false if the queue is
  /// empty.
  bool pop(std::uint32_t& rank, std::vector<std::uint32_t>& places);
  void clear();

  static constexpr std::uint32_t kMaxRank = (1u << 28) - 1;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Entry {
    std::uint32_t place = 0;
    std::uint32_t next = kNone;  // of the same rank, or in the free list
  };

  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;
  std::vector<std::uint32_t> first_;  // by rank; the entry pushed last
  std::vector<std::uint32_t> ranks_;  // a min-heap of the ranks with entries
};

}  // namespace pedro
