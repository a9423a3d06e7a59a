#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tokenizer/piece_table.h"
#include "tokenizer/rank_queue.h"

namespace pedro {

/// A part of a piece: `size` bytes at `begin`, and its token or -1.
struct Symbol {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  TokenId id = -1;
};

/// The result of merging two symbols; kNeverMerged if they do not merge.
struct Merged {
  std::uint32_t rank = kNeverMerged;
  TokenId id = -1;
};

/// Byte pair encoding: repeatedly merges the adjacent pair with the lowest rank, the leftmost
/// first. `merged_of(const Symbol& left, const Symbol& right)` returns a Merged. Reuses its memory
/// between pieces. Not thread-safe.
///
/// Short pieces are scanned for every merge. Long pieces use a queue by rank or a heap, which takes
/// O(n log n) time.
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
  static constexpr std::size_t kMaxLookedThrough = 32;
  static constexpr std::size_t kAhead = 8;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Symbols keep their positions until the end. A symbol merged into its left neighbor has a rank
  // that is never the lowest.
  template <typename MergedOf>
  void run_short(std::vector<Symbol>& symbols, MergedOf merged_of) {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    std::uint32_t ranks[kMaxLookedThrough];  // of a symbol with the next one
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

  // In trained vocabularies merges only produce pairs of higher ranks. All pairs of a rank
  // therefore exist before the first of them merges. If a lower rank appears, a heap processes the
  // rest.
  template <typename MergedOf>
  void run_long(std::vector<Symbol>& symbols, MergedOf merged_of) {
    const auto count = static_cast<std::uint32_t>(symbols.size());
    Remembered<MergedOf> remembered(merged_of);
    Line<Remembered<MergedOf>> line{symbols, pairs_, next_, previous_, remembered};
    line.begin();
    queue_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (pairs_[i].rank != kNeverMerged) queue_.push(pairs_[i].rank, i);
    }
    bool in_order = true;
    for (std::uint32_t rank = 0; in_order && queue_.pop(rank, places_);) {
      for (std::size_t i = 0; i < places_.size() && in_order; ++i) {
        if (i + kAhead < places_.size()) line.ask_for(places_[i + kAhead]);
        if (pairs_[places_[i]].rank != rank) continue;  // changed since it was queued
        line.merge(places_[i], [&](std::uint32_t at) {
          in_order = in_order && pairs_[at].rank > rank;
          queue_.push(pairs_[at].rank, at);
        });
      }
    }
    if (!in_order) run_heap(line);
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.size == 0; });
  }

  template <typename Line>
  void run_heap(Line& line) {
    const auto entry = [this](std::uint32_t i) { return std::uint64_t{pairs_[i].rank} << 32 | i; };
    heap_.clear();
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i].rank != kNeverMerged) heap_.push_back(entry(i));
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    while (!heap_.empty()) {
      const std::uint64_t top = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      const auto at = static_cast<std::uint32_t>(top);
      if (pairs_[at].rank != top >> 32) continue;  // changed since it was queued
      line.merge(at, [&](std::uint32_t changed) {
        heap_.push_back(entry(changed));
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      });
    }
  }

  /// A cache of recent pair results; long texts without a cut repeat pairs.
  template <typename MergedOf>
  class Remembered {
   public:
    explicit Remembered(MergedOf& merged_of) : merged_of_(merged_of) {}

    Merged operator()(const Symbol& left, const Symbol& right) {
      if (left.id == -1 || right.id == -1) return merged_of_(left, right);
      const auto mixed =
          static_cast<std::uint32_t>(left.id) * 31 + static_cast<std::uint32_t>(right.id);
      Known& known = known_[mixed % kKnown];
      if (known.left != left.id || known.right != right.id) {
        known = {left.id, right.id, merged_of_(left, right)};
      }
      return known.merged;
    }

   private:
    struct Known {
      TokenId left = -1;
      TokenId right = -1;
      Merged merged;
    };
    static constexpr std::uint32_t kKnown = 64;

    MergedOf& merged_of_;
    Known known_[kKnown];
  };

  /// Symbols that keep their positions during merging; merged ones have size 0.
  template <typename MergedOf>
  struct Line {
    std::vector<Symbol>& symbols;
    std::vector<Merged>& pairs;  ///< merge result of a symbol with the next one
    std::vector<std::uint32_t>& next;
    std::vector<std::uint32_t>& previous;
    MergedOf& merged_of;

    void begin() {
      const auto count = static_cast<std::uint32_t>(symbols.size());
      pairs.resize(count);
      next.resize(count);
      previous.resize(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        next[i] = i + 1 < count ? i + 1 : kNone;
        previous[i] = i > 0 ? i - 1 : kNone;
        look_at(i);
      }
    }

    void look_at(std::uint32_t i) {
      pairs[i] = next[i] == kNone ? Merged() : merged_of(symbols[i], symbols[next[i]]);
    }

    /// Prefetches a symbol that will be merged soon.
    void ask_for(std::uint32_t at) const {
      __builtin_prefetch(&pairs[at]);
      __builtin_prefetch(&symbols[at]);
      __builtin_prefetch(&next[at]);
      __builtin_prefetch(&previous[at]);
    }

    /// Merges a symbol with the next one and calls `changed` for each new pair.
    template <typename Changed>
    void merge(std::uint32_t at, Changed changed) {
      const std::uint32_t gone = next[at];
      symbols[at].size += symbols[gone].size;
      symbols[at].id = pairs[at].id;
      symbols[gone].size = 0;
      pairs[gone] = {};
      next[at] = next[gone];
      if (next[at] != kNone) previous[next[at]] = at;
      look_at(at);
      if (pairs[at].rank != kNeverMerged) changed(at);
      const std::uint32_t before = previous[at];
      if (before == kNone) return;
      look_at(before);
      if (pairs[before].rank != kNeverMerged) changed(before);
    }
  };

  std::vector<Merged> pairs_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  RankQueue queue_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> heap_;
};

/// Merges two symbols to the token of their joined bytes. The symbols are parts of `piece`.
struct MergedByBytes {
  const PieceTable& table;
  std::span<const TokenId> byte_pairs;  ///< of the Vocabulary; may be empty
  const char* piece;

  Merged operator()(const Symbol& left, const Symbol& right) const {
    if (left.size + right.size == 2 && !byte_pairs.empty()) {
      const TokenId id = byte_pairs[byte_pair(piece[left.begin], piece[right.begin])];
      return {static_cast<std::uint32_t>(id),
              id};  // the rank of a pair is its id; -1 is kNeverMerged
    }
    const PieceSlot* slot = table.find(piece + left.begin, left.size + right.size);
    return slot == nullptr ? Merged() : Merged{slot->rank, slot->id};
  }
};

}  // namespace pedro
