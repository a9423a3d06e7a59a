#include "agent/context_keeper.h"

#include <doctest/doctest.h>

namespace pedro {

using enum Strategy;

TEST_CASE("context keeper: a server that moves its cache keeps results rather than words") {
  struct Row {
    std::vector<Strategy> strategies;
    bool shifts;
    std::vector<Strategy> used;
  };
  const std::vector<Row> rows = {
      {{kClear, kMiddle, kOldest}, false, {kClear, kMiddle, kOldest}},
      {{kClear, kMiddle, kOldest}, true, {kMiddle, kOldest}},
      {{kOldest, kClear}, true, {kOldest}},
      {{kClear}, true, {kClear}},  // the only strategy
      {{kMiddle}, true, {kMiddle}},
  };
  for (const Row& row : rows) {
    ContextSettings settings;
    settings.rules.strategies = row.strategies;
    CHECK(suited_to(settings, row.shifts).rules.strategies == row.used);
  }
}

}  // namespace pedro
