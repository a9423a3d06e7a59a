#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// Finds things that are numbered from 0 on by what they are, where they lie elsewhere: an open
/// hash table of nothing but their numbers, 5 bytes each. `Same` is called with a number and says
/// whether that thing is the one looked for.
class IdTable {
 public:
  static constexpr std::int32_t kNone = -1;
  /// So many places were looked at: somebody chose what is in here to have the same hash.
  static constexpr std::int32_t kCrowded = -2;

  /// For at most `count` things.
  explicit IdTable(std::size_t count) : slots_(count + count / 4 + 1, kNone) {}

  /// The number that was added, kNone or kCrowded.
  template <typename Same>
  std::int32_t find(std::uint64_t hash, const Same& same) const {
    const std::size_t slot = slot_of(hash, same);
    return slot == slots_.size() ? kCrowded : slots_[slot];
  }

  /// Adds `number` and gives back kNone; or what find() gives where it is not kNone.
  template <typename Same>
  std::int32_t find_or_add(std::uint64_t hash, std::int32_t number, const Same& same) {
    const std::size_t slot = slot_of(hash, same);
    if (slot == slots_.size()) return kCrowded;
    if (slots_[slot] != kNone) return slots_[slot];
    slots_[slot] = number;
    return kNone;
  }

 private:
  static constexpr std::size_t kMaxSteps = 20'000;

  // The slot that has it or where it would be; slots_.size() where it is crowded.
  template <typename Same>
  std::size_t slot_of(std::uint64_t hash, const Same& same) const {
    std::size_t slot = first_slot(hash);
    for (std::size_t steps = 0; steps < kMaxSteps; ++steps) {
      if (slots_[slot] == kNone || same(slots_[slot])) return slot;
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    }
    return slots_.size();
  }

  // All bits of `hash` take part (the last steps of MurmurHash3), then its upper half is scaled.
  std::size_t first_slot(std::uint64_t hash) const {
    hash = (hash ^ hash >> 33U) * 0xff51afd7ed558ccdU;
    hash = (hash ^ hash >> 33U) * 0xc4ceb9fe1a85ec53U;
    return static_cast<std::size_t>((hash >> 32U) * slots_.size() >> 32U);
  }

  std::vector<std::int32_t> slots_;
};

}  // namespace pedro
