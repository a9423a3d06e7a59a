#include "tokenizer/rank_queue.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

namespace pedro {

TEST_CASE("rank queue: gives the lowest rank's places, in order") {
  std::mt19937 random(1);
  RankQueue queue;
  for (int round = 0; round < 20; ++round) {
    std::map<std::uint32_t, std::multiset<std::uint32_t>> expected;
    queue.clear();  // removes the rest of the last round
    for (int step = 0; step < 300; ++step) {
      if (random() % 4 != 0) {
        const auto rank = static_cast<std::uint32_t>(random() % (round < 10 ? 20 : 5000));
        const auto place = static_cast<std::uint32_t>(random() % 100);
        queue.push(rank, place);
        expected[rank].insert(place);
        continue;
      }
      std::uint32_t rank = 0;
      std::vector<std::uint32_t> places;
      REQUIRE(queue.pop(rank, places) == !expected.empty());
      if (expected.empty()) continue;
      const auto& [lowest, all] = *expected.begin();
      CHECK(rank == lowest);
      CHECK(places == std::vector<std::uint32_t>(all.begin(), all.end()));
      expected.erase(expected.begin());
    }
  }
}

}  // namespace pedro
