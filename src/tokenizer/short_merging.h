#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tokenizer/merging.h"
#include "tokenizer/piece_table.h"

namespace pedro {

/// A faster Merging for the most frequent case: a few bytes in a vocabulary with byte pairs.
/// Computes the same result with short arrays; the rank of a token is its id.
class ShortMerging {
 public:
  static constexpr std::size_t kMaxBytes = 32;

  /// Writes the tokens to `out`, which has room for `size` of them, and returns their number. A
  /// byte without a token becomes -1. Requires 2 ≤ size ≤ kMaxBytes.
  static std::size_t run(const PieceTable& table, std::span<const TokenId> byte_tokens,
                         std::span<const TokenId> byte_pairs, const char* at, std::size_t size,
                         TokenId* out) {
    std::uint8_t begin[kMaxBytes + 2];      // of each symbol; then the end, twice
    std::uint32_t together[kMaxBytes + 1];  // rank of a symbol with the next one
    std::size_t count = size;
    for (std::size_t i = 0; i < size; ++i) {
      begin[i] = static_cast<std::uint8_t>(i);
      out[i] = byte_tokens[static_cast<unsigned char>(at[i])];
    }
    begin[count] = static_cast<std::uint8_t>(size);
    for (std::size_t i = 0; i + 1 < size; ++i) {
      together[i] = static_cast<std::uint32_t>(byte_pairs[byte_pair(at[i], at[i + 1])]);
    }
    const auto look_at = [&](std::size_t i) {
      const PieceSlot* slot =
          table.find(at + begin[i], static_cast<std::size_t>(begin[i + 2] - begin[i]));
      return slot == nullptr ? kNeverMerged : slot->rank;
    };
    while (count > 1) {
      std::size_t best = 0;
      std::uint32_t rank = together[0];
      for (std::size_t i = 1; i + 1 < count; ++i) {
        const bool lower = together[i] < rank;
        best = lower ? i : best;
        rank = lower ? together[i] : rank;
      }
      if (rank == kNeverMerged) break;
      out[best] = static_cast<TokenId>(rank);
      --count;
      for (std::size_t i = best + 1; i < count; ++i) {
        out[i] = out[i + 1];
        begin[i] = begin[i + 1];
        together[i - 1] = together[i];
      }
      begin[count] = static_cast<std::uint8_t>(size);
      if (best + 1 < count) together[best] = look_at(best);
      if (best > 0) together[best - 1] = look_at(best - 1);
    }
    return count;
  }
};

}  // namespace pedro
