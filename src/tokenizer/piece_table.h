#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "tokenizer/token_id.h"

namespace pedro {

/// What a token's bytes are looked up by: up to 7 bytes the bytes themselves with their number on
/// top, else a hash with the top bit set, which has to be followed by a look at the bytes.
inline constexpr std::uint64_t kHashedKey = std::uint64_t{1} << 63;
inline constexpr std::size_t kExactKeyBytes = 7;

/// In which order merges are made: where none leads to the token.
inline constexpr std::uint32_t kNeverMerged = 0xFFFFFFFF;

/// A token, found by its bytes. Empty where `key` is 0: no token is of no bytes.
struct PieceSlot {
  std::uint64_t key = 0;
  TokenId id = 0;
  std::uint32_t rank = 0;
};

namespace piece_table {

inline constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;

/// The bytes, of which there are 1 to 8, as a number.
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

inline std::uint64_t piece_key(const char* at, std::size_t bytes) {
  if (bytes <= kExactKeyBytes) return piece_table::load(at, bytes) | std::uint64_t{bytes} << 56;
  return piece_table::hash_of(at, bytes) | kHashedKey;
}

/// Where the search for `key` begins in a table of `size` slots; it goes on to the next slots, and
/// from the last to the first, until one is empty.
inline std::size_t first_slot(std::uint64_t key, std::size_t size) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t spread = piece_table::mixed(key ^ 0x5851F42D4C957F2Du, piece_table::kFactor);
  return static_cast<std::size_t>((static_cast<Wide>(spread) * size) >> 64);
}

/// Finds tokens by their bytes. Borrows the slots, of which one at least is empty, and the tokens'
/// bytes: token i has those of `bytes` from offsets[i] up to offsets[i + 1].
struct PieceTable {
  std::span<const PieceSlot> slots;
  std::span<const std::uint32_t> offsets;
  const char* bytes = nullptr;

  std::string_view bytes_of(TokenId id) const {
    const auto i = static_cast<std::size_t>(id);
    return {bytes + offsets[i], offsets[i + 1] - offsets[i]};
  }

  /// Null where there is no such token. Requires a size above 0.
  const PieceSlot* find(const char* at, std::size_t size) const {
    const std::uint64_t key = piece_key(at, size);
    std::size_t i = first_slot(key, slots.size());
    for (;; i = i + 1 == slots.size() ? 0 : i + 1) {
      const PieceSlot& slot = slots[i];
      if (slot.key == key && (size <= kExactKeyBytes || is_at(slot.id, at, size))) return &slot;
      if (slot.key == 0) return nullptr;
    }
  }

 private:
  bool is_at(TokenId id, const char* at, std::size_t size) const {
    const std::string_view token = bytes_of(id);
    return token.size() == size && std::memcmp(token.data(), at, size) == 0;
  }
};

}  // namespace pedro
