#include "sys/sleep.h"

#include <doctest/doctest.h>

#include "base/clock.h"

namespace pedro {

TEST_CASE("wait: it takes its time, unless it is cancelled") {
  RealClock clock;
  CancelToken cancel;
  const long long begin_ms = clock.ticks_ms();
  sleep_unless_cancelled(0.05, cancel);
  CHECK(clock.ticks_ms() - begin_ms >= 50);
  cancel.cancel(2);
  sleep_unless_cancelled(1'000'000, cancel);  // would otherwise not return
}

}  // namespace pedro
