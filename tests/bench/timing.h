#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace pedro {

using SteadyClock = std::chrono::steady_clock;

inline double ms_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

inline double us_since(SteadyClock::time_point begin) {
  return 1000 * ms_since(begin);
}

/// Returns the median (the upper one of an even count), or 0 without values.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace pedro
