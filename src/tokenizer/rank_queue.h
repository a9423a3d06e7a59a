#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// Places in a text by the rank of what begins there; those of the lowest rank are taken all at
/// once. A text has few ranks and many places, so this costs less than a heap of places. Keeps its
/// memory: 8 bytes for each place that is in, 4 for each rank up to the highest ever given. One
/// thread.
class RankQueue {
 public:
  /// Requires rank ≤ kMaxRank.
  void push(std::uint32_t rank, std::uint32_t place);
  /// Moves the places of the lowest rank, in order, to `places`; false where there are none.
  bool pop(std::uint32_t& rank, std::vector<std::uint32_t>& places);
  void clear();

  static constexpr std::uint32_t kMaxRank = (1u << 28) - 1;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Entry {
    std::uint32_t place = 0;
    std::uint32_t next = kNone;  // of the same rank, or of those that are free
  };

  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;
  std::vector<std::uint32_t> first_;  // by rank; the place that came last
  std::vector<std::uint32_t> ranks_;  // a heap of those that have entries, the lowest on top
};

}  // namespace pedro
