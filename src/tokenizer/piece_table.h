#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "tokenizer/token_id.h"

namespace pedro {

/// The lookup key of a token. For up to 7 bytes: the bytes, with their number in the top byte.
/// Else: a hash with the top bit set; the search must then also compare the bytes.
inline constexpr std::uint64_t kHashedKey = std::uint64_t{1} << 63;
inline constexpr std::size_t kExactKeyBytes = 7;

/// The rank of tokens that no merge produces.
inline constexpr std::uint32_t kNeverMerged = 0xFFFFFFFF;

/// A token with its lookup key. Empty if `key` is 0: no token has 0 bytes.
struct PieceSlot {
  std::uint64_t key = 0;
  TokenId id = 0;
  std::uint32_t rank = 0;
};

namespace piece_table {

inline constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;

/// Loads 1 to 8 bytes as a number.
inline std::uint64_t load(const char* at, std::size_t bytes) {
  const auto* byte = reinterpret_cast<const unsigned char*>(at);
  if (bytes >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + bytes - 4, 4);
    return low | std::uint64_t{high} << (8 * (bytes - 4));
  }
  return byte[0] | std::uint64_t{byte[bytes / 2]} << (8 * (bytes / 2)) |
         std::uint64_t{byte[bytes - 1]} << (8 * (bytes - 1));
}

inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_of(const char* at, std::size_t bytes) {
  std::uint64_t hash = bytes * kFactor;
  for (; bytes > 8; at += 8, bytes -= 8) hash = mixed(hash ^ load(at, 8), kFactor);
  return mixed(hash ^ load(at, bytes), kFactor ^ 0x5851F42D4C957F2Du);
}

}  // namespace piece_table

/// The index of two bytes in a table of all pairs.
inline std::size_t byte_pair(char first, char second) {
  return std::size_t{static_cast<unsigned char>(first)} << 8 | static_cast<unsigned char>(second);
}
inline constexpr std::size_t kBytePairCount = 256 * 256;

inline std::uint64_t piece_key(const char* at, std::size_t bytes) {
  if (bytes <= kExactKeyBytes) return piece_table::load(at, bytes) | std::uint64_t{bytes} << 56;
  return piece_table::hash_of(at, bytes) | kHashedKey;
}

/// The hash of a key: the upper part selects the first slot, the lower part is the tag.
inline std::uint64_t spread_key(std::uint64_t key) {
  return piece_table::mixed(key ^ 0x5851F42D4C957F2Du, piece_table::kFactor);
}
inline std::size_t first_slot(std::uint64_t spread, std::size_t size) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>((static_cast<Wide>(spread) * size) >> 64);
}

/// Finds tokens by their bytes. Borrows all its members.
///
/// Uses open addressing with linear probing, which wraps around and ends at an empty slot. Each
/// slot has a tag of one byte; 16 tags are compared at once. Most searches for bytes that are not a
/// token end there (the idea is from Abseil's Swiss tables).
struct PieceTable {
  static constexpr std::size_t kGroup = 16;
  static constexpr std::uint8_t kEmpty = 0;

  std::span<const PieceSlot> slots;  ///< at least one is empty
  std::span<const std::uint8_t>
      tags;  ///< one per slot, followed by copies of the first kGroup tags
  std::span<const std::uint32_t> offsets;  ///< token i: `bytes` from offsets[i] to offsets[i + 1]
  const char* bytes = nullptr;

  static std::uint8_t tag_of(std::uint64_t spread) {
    return static_cast<std::uint8_t>(spread | 0x80);
  }

  std::string_view bytes_of(TokenId id) const {
    const auto i = static_cast<std::size_t>(id);
    return {bytes + offsets[i], offsets[i + 1] - offsets[i]};
  }

  /// Returns the slot of the token, or null. Requires size > 0.
  const PieceSlot* find(const char* at, std::size_t size) const {
    const std::uint64_t key = piece_key(at, size);
    const std::uint64_t spread = spread_key(key);
    std::size_t i = first_slot(spread, slots.size());
    for (;;) {
      const Group group(tags.data() + i, tag_of(spread));
      for (std::uint32_t same = group.same; same != 0; same &= same - 1) {
        std::size_t j = i + static_cast<std::size_t>(std::countr_zero(same));
        if (j >= slots.size()) j -= slots.size();
        const PieceSlot& slot = slots[j];
        if (slot.key == key && (size <= kExactKeyBytes || is_at(slot.id, at, size))) return &slot;
      }
      if (group.has_empty) return nullptr;
      i += kGroup;
      if (i >= slots.size()) i -= slots.size();
    }
  }

 private:
  /// The result of comparing kGroup tags with one tag.
  struct Group {
    std::uint32_t same = 0;  ///< bit i: tag i is equal
    bool has_empty = false;

    Group(const std::uint8_t* at, std::uint8_t tag) {
#if defined(__SSE2__)
      const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const __m128i equal = _mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(tag)));
      const __m128i empty = _mm_cmpeq_epi8(all, _mm_setzero_si128());
      same = static_cast<std::uint32_t>(_mm_movemask_epi8(equal));
      has_empty = _mm_movemask_epi8(empty) != 0;
#else
      for (std::uint32_t i = 0; i < kGroup; ++i) {
        if (at[i] == tag) same |= 1u << i;
        has_empty = has_empty || at[i] == kEmpty;
      }
#endif
    }
  };

  bool is_at(TokenId id, const char* at, std::size_t size) const {
    const std::string_view token = bytes_of(id);
    return token.size() == size && std::memcmp(token.data(), at, size) == 0;
  }
};

}  // namespace pedro
