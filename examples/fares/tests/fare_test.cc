#include "fare.h"

#include <cstdio>

static int failures = 0;

static void expect_fare(int zones, int age, bool off_peak, int expected, int line) {
  int got = fare_cents(zones, age, off_peak);
  if (got == expected) return;
  ++failures;
  std::printf("tests/fare_test.cc:%d: fare_cents(%d, %d, %s): expected %d, got %d\n", line, zones,
              age, off_peak ? "true" : "false", expected, got);
}

#define EXPECT_FARE(zones, age, off_peak, expected) \
  expect_fare(zones, age, off_peak, expected, __LINE__)

int main() {
  EXPECT_FARE(1, 30, false, 280);
  EXPECT_FARE(4, 30, false, 620);
  EXPECT_FARE(9, 30, false, 620);
  EXPECT_FARE(2, 30, true, 280);
  EXPECT_FARE(1, 3, false, 0);
  EXPECT_FARE(1, 6, false, 140);
  EXPECT_FARE(3, 6, true, 188);
  EXPECT_FARE(1, 14, false, 140);
  EXPECT_FARE(1, 15, false, 280);
  EXPECT_FARE(2, 65, false, 175);
  std::printf("%s\n", failures == 0 ? "all fares are right" : "FAILED");
  return failures == 0 ? 0 : 1;
}
