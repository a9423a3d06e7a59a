#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pedro {

/// FNV-1a, 64 bit (http://www.isthe.com/chongo/tech/comp/fnv/): tells things apart, protects
/// nothing. `seed` continues an earlier hash.
constexpr std::uint64_t kHashSeed = 0xcbf29ce484222325u;

constexpr std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = kHashSeed) {
  for (const char c : bytes) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return seed;
}

/// 16 lower-case hexadecimal digits.
std::string to_hex(std::uint64_t value);
/// The value of at most 16 hexadecimal digits; 0 of anything else.
std::uint64_t from_hex(std::string_view digits);

}  // namespace pedro
