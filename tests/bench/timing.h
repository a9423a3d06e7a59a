#pragma once

#include <chrono>

namespace pedro {

using SteadyClock = std::chrono::steady_clock;

inline double ms_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

inline double us_since(SteadyClock::time_point begin) {
  return 1000 * ms_since(begin);
}

}  // namespace pedro
