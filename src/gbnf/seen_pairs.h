#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pedro {

/// A set of pairs with a cheap clear(), which increments a stamp instead of writing slots. A value;
/// one thread.
class SeenPairs {
 public:
  SeenPairs() : slots_(16) {}

  void clear() {
    ++stamp_;
    size_ = 0;
  }
  std::size_t size() const { return size_; }

  /// Returns false if the pair is already present.
  bool insert(std::uint32_t a, std::uint32_t b) {
    if (size_ * 2 >= slots_.size()) grow();
    return put(std::uint64_t{a} << 32 | b);
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t stamp = 0;
  };

  bool put(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    for (; slots_[slot].stamp == stamp_; slot = (slot + 1) & mask) {
      if (slots_[slot].key == key) return false;
    }
    slots_[slot] = Slot{key, stamp_};
    ++size_;
    return true;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.stamp == stamp_) put(slot.key);
    }
  }

  std::vector<Slot> slots_;
  std::uint64_t stamp_ = 1;
  std::size_t size_ = 0;
};

}  // namespace pedro
