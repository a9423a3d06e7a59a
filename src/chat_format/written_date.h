#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pedro {

/// Converts "2024-07-26" to "26 Jul 2024"; returns other texts unchanged.
std::string day_of(std::string_view date);

/// A date in a text.
struct WrittenDate {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string iso;      ///< "2026-11-22"; "" if there is none
  bool is_day = false;  ///< spelled as 22 Nov 2026
};

/// Finds the last date that is spelled as 2026-11-22 or 22 Nov 2026.
WrittenDate find_date(std::string_view text);

}  // namespace pedro
