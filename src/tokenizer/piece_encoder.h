#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tokenizer/merging.h"
#include "tokenizer/pattern_scanner.h"
#include "tokenizer/piece_table.h"
#include "tokenizer/scanner.h"
#include "tokenizer/vocabulary.h"

namespace pedro {

/// The bytes of a piece of up to 15 bytes, with their number.
struct WordKey {
  static constexpr std::size_t kMaxBytes = 15;

  std::uint64_t low = 0;
  std::uint64_t high = 0;

  bool operator==(const WordKey&) const = default;

  /// Requires 1 ≤ bytes ≤ kMaxBytes. Reads 16 bytes if `end` permits.
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

/// A cache of the tokens of short pieces with a fixed size. Each hash has two entries in one
/// processor cache line. A hit moves to the first entry, and new pieces replace the second one. A
/// single occurrence thus does not evict a frequent piece. Not thread-safe.
class WordCache {
 public:
  static constexpr std::size_t kMaxTokens = 5;

  class Entry {
   public:
    std::size_t count() const { return ids_[kCountAt]; }
    /// Writes kMaxTokens ids; only the first count() are valid.
    void write_to(TokenId* out) const {
      for (std::size_t i = 0; i < kMaxTokens; ++i) {
        std::uint32_t id = 0;
        std::memcpy(&id, ids_ + 3 * i, 4);
        out[i] = static_cast<TokenId>(id & kMaxId);
      }
    }

   private:
    friend class WordCache;

    static constexpr std::size_t kCountAt = 3 * kMaxTokens;
    static constexpr std::uint32_t kMaxId = 0xFFFFFF;

    WordKey key_;
    std::uint8_t ids_[kCountAt + 1] = {};  // three bytes each, little-endian; then the count
  };

  /// The memory is zeroed lazily by the system: untouched pages cost nothing.
  WordCache() : memory_(std::calloc(kSets + 1, sizeof(Set))) {
    if (memory_ == nullptr) std::abort();
    void* begin = memory_.get();
    std::size_t bytes = (kSets + 1) * sizeof(Set);
    sets_ = static_cast<Set*>(std::align(alignof(Set), kSets * sizeof(Set), begin, bytes));
  }

  /// Returns the set of a key and prefetches it.
  std::uint32_t set_of(const WordKey& key) const {
    const std::uint64_t mixed =
        piece_table::mixed(key.low ^ (key.high << 7), key.high ^ piece_table::kFactor);
    const auto set = static_cast<std::uint32_t>(mixed % kSets);
    __builtin_prefetch(&sets_[set]);
    return set;
  }

  /// Returns the entry, or null. Valid until the next call.
  const Entry* find(std::uint32_t set, const WordKey& key) {
    Set& entries = sets_[set];
    if (entries.first.key_ == key) return &entries.first;
    if (!(entries.second.key_ == key)) return nullptr;
    std::swap(entries.first, entries.second);
    return &entries.first;
  }

  /// Stores the ids of a key that is not cached, unless they are too many or too large.
  void keep(std::uint32_t set, const WordKey& key, std::span<const TokenId> ids) {
    if (ids.size() > kMaxTokens) return;
    Entry entry;
    entry.key_ = key;
    entry.ids_[Entry::kCountAt] = static_cast<std::uint8_t>(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::uint32_t>(ids[i]);
      if (id > Entry::kMaxId) return;
      for (std::size_t byte = 0; byte < 3; ++byte) {
        entry.ids_[3 * i + byte] = static_cast<std::uint8_t>(id >> (8 * byte));
      }
    }
    Set& entries = sets_[set];
    (entries.first.key_ == WordKey{} ? entries.first : entries.second) = entry;
  }

 private:
  struct alignas(64) Set {
    Entry first;
    Entry second;
  };
  static_assert(sizeof(Set) == 64 && std::endian::native == std::endian::little);

  static constexpr std::size_t kSets = std::size_t{1} << 16;  // 4 MiB

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::unique_ptr<void, Free> memory_;
  Set* sets_ = nullptr;  // in memory_; all zero means empty
};

/// Encodes normalized text without special tokens: cuts it into pieces and merges each one. Reuses
/// its memory and caches the results of short pieces between texts. Borrows the constructor's
/// arguments. Not thread-safe.
class PieceEncoder {
 public:
  /// Cuts by `patterns` if not null, else by `scan`.
  PieceEncoder(const Vocabulary& vocabulary, ScanPieces scan, const PatternScanner* patterns);

  /// Appends the ids of the text. Errors are those of `patterns`. Requires less than 4 GiB.
  Status encode(std::string_view text, std::vector<TokenId>& out);
  /// Adds the number of ids to `count`.
  Status count(std::string_view text, std::size_t& count);

 private:
  template <typename Out>
  Status run(std::string_view text, Out& out);
  template <typename Out>
  const char* take(std::span<const std::uint32_t> lengths, const char* at, const char* end,
                   Out& out);
  std::size_t cut_apart(const char* at, const char* end, std::uint32_t* lengths,
                        std::size_t room) const;
  void merge(const char* at, std::size_t size);
  void add_bytes(const char* at, std::size_t size);

  const Vocabulary& vocabulary_;
  ScanPieces scan_;
  const PatternScanner* patterns_;
  bool cuts_lines_;     // between newlines and other text
  bool cuts_apart_;     // between bytes that no token contains together, instead of by scan_
  bool has_all_bytes_;  // a token for every byte
  WordCache cache_;
  Merging merging_;
  std::vector<Symbol> symbols_;
  std::vector<TokenId> ids_;  // of the last merged piece
  std::vector<std::uint32_t> ends_;
};

}  // namespace pedro
