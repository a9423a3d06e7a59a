#include "base/hash.h"

#include <fmt/format.h>

#include <charconv>

namespace pedro {

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
