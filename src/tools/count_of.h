#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// Returns a count with its noun: "1 line", "2 lines", "2 matches", "2 entries".
inline std::string count_of(std::size_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (noun.ends_with("ch")) return fmt::format("{} {}es", count, noun);
  if (noun.ends_with("ry")) return fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}s", count, noun);
}

}  // namespace pedro
