#include "base/median.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("median: even and odd counts, and no values") {
  CHECK(median({}) == 0);
  CHECK(median({7}) == 7);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
}

}  // namespace pedro
