#include "eval/share.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace pedro {

// Published examples: Wilson of 81 of 263 and 15 of 148, 0 of 20, 29 of 29 (Newcombe 1998, two
// papers), and the difference of 56 of 70 and 48 of 80.
TEST_CASE("share: likely intervals match those in the papers on the methods") {
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

TEST_CASE("share: a difference counts only if its interval excludes zero") {
  CHECK(difference({50, 100}, {90, 100}).low > 0);
  CHECK(difference({90, 100}, {50, 100}).high < 0);
  const Interval noise = difference({50, 100}, {53, 100});
  CHECK(noise.low < 0);
  CHECK(noise.high > 0);
  CHECK(difference({0, 0}, {3, 3}).low <= 0);
}

// The examples of Newcombe's paper on paired data (1998), as second - first.
TEST_CASE("share: pairs, as in the paper that the method is from") {
  struct Row {
    PairedCounts pairs;
    double low;
    double high;
  };
  for (const Row& row : {
           Row{{36, 12, 2, 0}, -0.3404, -0.0569},
           Row{{20, 12, 2, 16}, -0.3292, -0.0562},
           Row{{36, 14, 0, 0}, -0.4167, -0.1528},
           Row{{0, 0, 0, 0}, -1.0, 1.0},
       }) {
    const Interval likely = difference(row.pairs);
    CHECK(likely.low == doctest::Approx(row.low).epsilon(0.001));
    CHECK(likely.high == doctest::Approx(row.high).epsilon(0.001));
  }
  // Agreeing pairs give a narrower interval than the same number of unpaired results.
  const PairedCounts pairs{20, 2, 12, 26};
  CHECK(difference(pairs).low > difference(pairs.first(), pairs.second()).low);
}

TEST_CASE("share: McNemar's exact p counts the pairs that differ") {
  CHECK(paired_p({11, 1, 13, 35}) == doctest::Approx(0.00183105));
  CHECK(paired_p({0, 12, 2, 0}) == doctest::Approx(0.01293945));
  CHECK(paired_p({0, 0, 5, 0}) == doctest::Approx(0.0625));
  CHECK(paired_p({0, 3, 3, 0}) == 1);
  CHECK(paired_p({7, 0, 0, 7}) == 1);
}

}  // namespace pedro
