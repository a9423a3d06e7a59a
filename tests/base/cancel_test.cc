#include "base/cancel.h"

#include <doctest/doctest.h>

#include <cmath>

namespace pedro {

TEST_CASE("cancel: the first signal is kept, and children inherit their parent's signal") {
  FakeClock clock;
  CancelToken program;
  CancelToken job(program, clock);
  CHECK_FALSE(job.cancelled());
  program.cancel(15);
  program.cancel(2);
  CHECK(job.cancelled());
  CHECK(job.signal() == 15);
  job.cancel(1);
  CHECK(job.signal() == 1);
  CHECK(program.signal() == 15);
}

TEST_CASE("cancel: the earliest deadline of all that are above counts") {
  FakeClock clock;
  clock.ms = 1000;
  CancelToken program;
  CancelToken job(program, clock);
  CancelToken check(job, clock);
  CHECK(std::isinf(check.left_s()));
  check.end_at(9000);
  CHECK(check.left_s() == 8);
  job.end_at(3500);
  CHECK(check.left_s() == 2.5);
  CHECK_FALSE(check.cancelled());
  clock.ms = 3500;
  CHECK(check.cancelled());
  CHECK(check.signal() == 0);
  CHECK_FALSE(program.cancelled());
}

}  // namespace pedro
