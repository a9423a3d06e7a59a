#include "base/hash.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace pedro {
namespace {

// The first 32 fractional bits of the square or cube roots of the first primes.
template <std::size_t count>
std::array<std::uint32_t, count> roots_of_primes(long double (*root)(long double)) {
  std::array<std::uint32_t, count> out{};
  std::size_t found = 0;
  for (unsigned n = 2; found < count; ++n) {
    bool prime = true;
    for (unsigned d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    const long double value = root(n);
    out[found++] = static_cast<std::uint32_t>((value - std::floor(value)) * 4294967296.0L);
  }
  return out;
}

void add_block(const char* block, std::array<std::uint32_t, 8>& state) {
  static const auto kConstants = roots_of_primes<64>(std::cbrt);
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    w[i] = 0;
    for (int byte = 0; byte < 4; ++byte) {
      w[i] = w[i] << 8 | static_cast<unsigned char>(block[4 * i + byte]);
    }
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t low = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const std::uint32_t high = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t high = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t one = h + high + ((e & f) ^ (~e & g)) + kConstants[i] + w[i];
    const std::uint32_t low = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t two = low + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const std::uint32_t more[] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += more[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<std::uint32_t, 8> state = roots_of_primes<8>(std::sqrt);
  std::string rest(bytes.substr(bytes.size() / 64 * 64));
  for (std::size_t at = 0; at + 64 <= bytes.size(); at += 64) add_block(bytes.data() + at, state);
  rest += '\x80';
  while (rest.size() % 64 != 56) rest += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift);
  for (std::size_t at = 0; at < rest.size(); at += 64) add_block(rest.data() + at, state);
  std::string out;
  for (const std::uint32_t word : state) out += fmt::format("{:08x}", word);
  return out;
}

std::string to_hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::uint64_t from_hex(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
}

}  // namespace pedro
