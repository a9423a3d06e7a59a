#include "base/hash.h"

#include <fmt/format.h>

namespace pedro {

std::string to_hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

}  // namespace pedro
