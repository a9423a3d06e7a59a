#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tokenizer/merge_table.h"
#include "tokenizer/piece_table.h"

namespace pedro {

/// A part of a piece: `size` bytes at `begin`, a token or, with -1, none.
struct Symbol {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  TokenId id = -1;
};

/// What two symbols become; kNeverMerged where they stay apart.
struct Merged {
  std::uint32_t rank = kNeverMerged;
  TokenId id = -1;
};

/// Byte pair encoding: merges neighbours until none is left to be merged; always those with the
/// lowest rank, of several the leftmost. `merged_of(const Symbol& left, const Symbol& right)` gives
/// a Merged. Keeps its memory from piece to piece. One thread.
///
/// Few symbols are looked through again for every merge; many are kept in a heap, which takes
/// O(n log n).
class Merging {
 public:
  template <typename MergedOf>
  void run(std::vector<Symbol>& symbols, MergedOf merged_of) {
    if (symbols.size() > kMaxLookedThrough) {
      run_long(symbols, merged_of);
    } else if (symbols.size() > 1) {
      run_short(symbols, merged_of);
    }
  }

 private:
  static constexpr std::size_t kMaxLookedThrough = 100;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Nothing moves until the end: what has been merged into its left neighbour keeps its place, with
  // a rank that is never the lowest.
  template <typename MergedOf>
  void run_short(std::vector<Symbol>& symbols, MergedOf merged_of) {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    std::uint32_t ranks[kMaxLookedThrough];  // of a symbol and the next one together
    TokenId ids[kMaxLookedThrough];
    std::uint8_t next[kMaxLookedThrough];
    std::uint8_t previous[kMaxLookedThrough];
    const auto look_at = [&](std::uint32_t i) {
      const Merged merged = next[i] == count ? Merged() : merged_of(symbols[i], symbols[next[i]]);
      ranks[i] = merged.rank;
      ids[i] = merged.id;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      next[i] = static_cast<std::uint8_t>(i + 1);
      previous[i] = static_cast<std::uint8_t>(i - 1);
      look_at(i);
    }
    for (;;) {
      std::uint32_t best = 0;
      std::uint32_t rank = ranks[0];
      for (std::uint32_t i = 1; i < count; ++i) {
        const bool lower = ranks[i] < rank;
        best = lower ? i : best;
        rank = lower ? ranks[i] : rank;
      }
      if (rank == kNeverMerged) break;
      const std::uint32_t gone = next[best];
      symbols[best].size += symbols[gone].size;
      symbols[best].id = ids[best];
      symbols[gone].size = 0;
      ranks[gone] = kNeverMerged;
      next[best] = next[gone];
      if (next[best] != count) previous[next[best]] = static_cast<std::uint8_t>(best);
      look_at(best);
      if (best > 0) look_at(previous[best]);
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.size == 0; });
  }

  template <typename MergedOf>
  void run_long(std::vector<Symbol>& symbols, MergedOf merged_of) {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    pairs_.assign(count, {});
    next_.resize(count);
    previous_.resize(count);
    heap_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      next_[i] = i + 1 < count ? i + 1 : kNone;
      previous_[i] = i > 0 ? i - 1 : kNone;
    }
    const auto look_at = [&](std::uint32_t i) {
      const std::uint32_t right = next_[i];
      pairs_[i] = right == kNone ? Merged() : merged_of(symbols[i], symbols[right]);
      return pairs_[i].rank != kNeverMerged;
    };
    const auto entry = [&](std::uint32_t i) { return std::uint64_t{pairs_[i].rank} << 32 | i; };
    for (std::uint32_t i = 0; i < count; ++i) {
      if (look_at(i)) heap_.push_back(entry(i));
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto push = [&](std::uint32_t i) {
      if (!look_at(i)) return;
      heap_.push_back(entry(i));
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    };
    while (!heap_.empty()) {
      const std::uint64_t top = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      const auto at = static_cast<std::uint32_t>(top);
      if (pairs_[at].rank != top >> 32) continue;  // it has changed since
      const std::uint32_t gone = next_[at];
      symbols[at].size += symbols[gone].size;
      symbols[at].id = pairs_[at].id;
      symbols[gone].size = 0;
      pairs_[gone] = {};
      next_[at] = next_[gone];
      if (next_[at] != kNone) previous_[next_[at]] = at;
      push(at);
      if (previous_[at] != kNone) push(previous_[at]);
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.size == 0; });
  }

  std::vector<Merged> pairs_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint64_t> heap_;
};

/// Two symbols become the token of their bytes together. The symbols are parts of `piece`.
struct MergedByBytes {
  const PieceTable& table;
  std::span<const TokenId> byte_pairs;  ///< of the Vocabulary; may be empty
  const char* piece;

  Merged operator()(const Symbol& left, const Symbol& right) const {
    if (left.size + right.size == 2 && !byte_pairs.empty()) {
      const TokenId id = byte_pairs[byte_pair(piece[left.begin], piece[right.begin])];
      return {static_cast<std::uint32_t>(id),
              id};  // a byte's rank is its id, and -1 is kNeverMerged
    }
    const PieceSlot* slot = table.find(piece + left.begin, left.size + right.size);
    return slot == nullptr ? Merged() : Merged{slot->rank, slot->id};
  }
};

/// Two symbols become what a list of merges says.
struct MergedByTokens {
  const MergeTable& table;

  Merged operator()(const Symbol& left, const Symbol& right) const {
    if (left.id == -1 || right.id == -1) return {};
    const MergeSlot* slot = table.find(left.id, right.id);
    return slot == nullptr ? Merged() : Merged{slot->rank, slot->result};
  }
};

}  // namespace pedro
