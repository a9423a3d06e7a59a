#include "sys/sleep.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace pedro {

void sleep_unless_cancelled(double seconds, const CancelToken& cancel) {
  using SteadyClock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  constexpr Seconds kLongest(0.1);
  const auto until = SteadyClock::now() + Seconds(seconds);
  while (!cancel.cancelled() && SteadyClock::now() < until) {
    std::this_thread::sleep_for(std::min<Seconds>(until - SteadyClock::now(), kLongest));
  }
}

}  // namespace pedro
