#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tokenizer/piece_table.h"

namespace pedro {

/// The bytes of a piece of up to 15 bytes, and how many they are.
struct WordKey {
  static constexpr std::size_t kMaxBytes = 15;

  std::uint64_t low = 0;
  std::uint64_t high = 0;

  bool operator==(const WordKey&) const = default;

  /// Requires 1 ≤ bytes ≤ kMaxBytes. Reads 16 bytes where `end` allows it.
  static WordKey of(const char* at, std::size_t bytes, const char* end) {
    char copy[16];
    if (end - at < 16) {
      std::memset(copy, 0, sizeof copy);
      std::memcpy(copy, at, bytes);
      at = copy;
    }
    WordKey key;
    std::memcpy(&key.low, at, 8);
    std::memcpy(&key.high, at + 8, 8);
    key.low &= kLowMasks[bytes];
    key.high = (key.high & kHighMasks[bytes]) | std::uint64_t{bytes} << 56;
    return key;
  }

 private:
  static constexpr auto kLowMasks = [] {
    std::array<std::uint64_t, 16> masks{};
    for (std::size_t i = 0; i < 16; ++i) {
      masks[i] = i >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * i)) - 1;
    }
    return masks;
  }();
  static constexpr auto kHighMasks = [] {
    std::array<std::uint64_t, 16> masks{};
    for (std::size_t i = 9; i < 16; ++i) masks[i] = (std::uint64_t{1} << (8 * (i - 8))) - 1;
    return masks;
  }();
};

/// What short pieces were made of lately: a table of fixed size in which a new piece takes the
/// place of an old one. One thread.
class WordCache {
 public:
  static constexpr std::size_t kMaxTokens = 3;

  struct Entry {
    WordKey key;
    TokenId ids[kMaxTokens] = {};
    std::uint32_t count = 0;
  };

  WordCache() : entries_(kEntries) {}

  /// The entry of the key, or that which it may take the place of.
  Entry& at(const WordKey& key) {
    const std::uint64_t mixed =
        piece_table::mixed(key.low ^ (key.high << 7), key.high ^ piece_table::kFactor);
    return entries_[mixed % kEntries];
  }

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 16;  // 2 MiB

  std::vector<Entry> entries_;
};

}  // namespace pedro
