#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// 64-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). Not cryptographic. `seed` continues
/// an earlier hash.
constexpr std::uint64_t kHashSeed = 0xcbf29ce484222325u;

constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = kHashSeed) {
  for (const char c : bytes) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return seed;
}

/// Formats `value` as 16 lowercase hexadecimal digits.
std::string to_hex(std::uint64_t value);
/// Parses at most 16 hexadecimal digits. Returns 0 for any other text.
std::uint64_t from_hex(std::string_view digits);

/// SHA-256 (FIPS 180-4) in lowercase hexadecimal. Not optimized: for inputs of megabytes.
std::string sha256(std::string_view bytes);

}  // namespace pedro
