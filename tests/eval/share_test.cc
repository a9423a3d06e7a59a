#include "eval/share.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace pedro {

// Published examples: Wilson of 81 of 263 and 15 of 148, 0 of 20, 29 of 29 (Newcombe 1998, two
// papers), and the difference of 56 of 70 and 48 of 80.
TEST_CASE("share: what is likely, as in the papers that the methods are from") {
  struct Row {
    Share share;
    double low;
    double high;
  };
  for (const Row& row : {
           Row{{81, 263}, 0.2553, 0.3662},
           Row{{15, 148}, 0.0624, 0.1605},
           Row{{0, 20}, 0.0, 0.1611},
           Row{{29, 29}, 0.8830, 1.0},
           Row{{0, 0}, 0.0, 1.0},
       }) {
    const Interval likely = row.share.interval();
    CHECK(likely.low == doctest::Approx(row.low).epsilon(0.001));
    CHECK(likely.high == doctest::Approx(row.high).epsilon(0.001));
  }
  const Interval likely = difference({48, 80}, {56, 70});
  CHECK(likely.low == doctest::Approx(0.0524).epsilon(0.01));
  CHECK(likely.high == doctest::Approx(0.3339).epsilon(0.01));
}

TEST_CASE("share: a difference is one where the intervals say so") {
  CHECK(difference({50, 100}, {90, 100}).low > 0);
  CHECK(difference({90, 100}, {50, 100}).high < 0);
  const Interval noise = difference({50, 100}, {53, 100});
  CHECK(noise.low < 0);
  CHECK(noise.high > 0);
  CHECK(difference({0, 0}, {3, 3}).low <= 0);
}

}  // namespace pedro
