#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// "2024-07-26" as "26 Jul 2024"; anything else stays as it is.
std::string day_of(std::string_view date);

/// A date in a text.
struct WrittenDate {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string iso;      ///< "2026-11-22"; "" where there is none
  bool is_day = false;  ///< it is written as 22 Nov 2026
};

/// The last date that is written as 2026-11-22 or as 22 Nov 2026.
WrittenDate find_date(std::string_view text);

}  // namespace pedro
