#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tokenizer/piece_table.h"
#include "tokenizer/token_id.h"

namespace pedro {

/// A pair of tokens that merge. Empty where `left` is -1.
struct MergeSlot {
  TokenId left = -1;
  TokenId right = -1;
  TokenId result = -1;
  std::uint32_t rank = 0;
};

/// Merges by their two tokens; borrows the slots, which are searched like PieceTable's.
struct MergeTable {
  std::span<const MergeSlot> slots;

  bool empty() const { return slots.empty(); }
  /// Null where the two do not merge. Requires a table that is not empty.
  const MergeSlot* find(TokenId left, TokenId right) const {
    std::size_t i = first_slot(spread_key(key_of(left, right)), slots.size());
    for (;; i = i + 1 == slots.size() ? 0 : i + 1) {
      const MergeSlot& slot = slots[i];
      if (slot.left == left && slot.right == right) return &slot;
      if (slot.left == -1) return nullptr;
    }
  }

  static std::uint64_t key_of(TokenId left, TokenId right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }
};

}  // namespace pedro
