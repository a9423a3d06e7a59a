#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/token_list.h"
#include "tokenizer/vocabulary_source.h"

namespace pedro {

/// An open-addressing hash table of consecutive numbers from 0; the values are stored elsewhere. It
/// takes 5 bytes per number. `Same` receives a number and returns true if its value is the one
/// searched for.
class IdTable {
 public:
  static constexpr std::int32_t kNone = -1;
  /// The search exceeded its limit of steps: the input was built for hash collisions.
  static constexpr std::int32_t kCrowded = -2;

  /// Creates a table for at most `count` numbers.
  explicit IdTable(std::size_t count) : slots_(count + count / 4 + 1, kNone) {}

  /// Returns the matching number, kNone or kCrowded.
  template <typename Same>
  std::int32_t find(std::uint64_t hash, const Same& same) const {
    const std::size_t slot = slot_of(hash, same);
    return slot == slots_.size() ? kCrowded : slots_[slot];
  }

  /// Adds `number` and returns kNone, unless find() returns another value: then returns that value.
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

  // The slot with the number or the free slot for it; slots_.size() if the search exceeds its
  // limit.
  template <typename Same>
  std::size_t slot_of(std::uint64_t hash, const Same& same) const {
    std::size_t slot = first_slot(hash);
    for (std::size_t steps = 0; steps < kMaxSteps; ++steps) {
      if (slots_[slot] == kNone || same(slots_[slot])) return slot;
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    }
    return slots_.size();
  }

  // Mixes all bits of `hash` (finalizer of MurmurHash3) and scales the upper half to the table
  // size.
  std::size_t first_slot(std::uint64_t hash) const {
    hash = (hash ^ hash >> 33U) * 0xff51afd7ed558ccdU;
    hash = (hash ^ hash >> 33U) * 0xc4ceb9fe1a85ec53U;
    return static_cast<std::size_t>((hash >> 32U) * slots_.size() >> 32U);
  }

  std::vector<std::int32_t> slots_;
};

/// Finds tokens of any kind by their bytes. Borrows the list, which must not change.
class TokenIndex {
 public:
  /// Error (kConfig): two tokens have the same bytes, "token 7 'ab' is token 3 again".
  static Result<TokenIndex> of(const TokenList& tokens);

  std::optional<TokenId> find(std::string_view bytes) const { return find(bytes, ""); }
  /// Finds the token with the joined bytes of `left` and `right`.
  std::optional<TokenId> find(std::string_view left, std::string_view right) const;

  /// Looks up the merge of two tokens. Error (kConfig): "'x' is not in the vocabulary".
  Result<Merge> merge_of(std::string_view left, std::string_view right) const;

 private:
  explicit TokenIndex(const TokenList& tokens) : tokens_(&tokens), table_(tokens.size()) {}

  const TokenList* tokens_;
  IdTable table_;
};

/// Removes repeated merges of the same two tokens; keeps the first or the last one.
enum class Keep : std::uint8_t { kFirst, kLast };
Status drop_repeated(std::vector<Merge>& merges, Keep keep);

}  // namespace pedro
