#include "gbnf/frame_pool.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("frame pool: equal stacks are the same stack") {
  FramePool pool;
  const FrameId one = pool.push(Frame{7, 0, 0});
  const FrameId two = pool.push(Frame{7, 0, one});
  CHECK(one != two);
  CHECK(pool.push(Frame{7, 0, 0}) == one);
  CHECK(pool.push(Frame{7, 0, one}) == two);
  CHECK(pool.push(Frame{7, 1, one}) != two);
  CHECK(pool.push(Frame{8, 0, one}) != two);
}

TEST_CASE("frame pool: many stacks, each with its depth") {
  FramePool pool;
  CHECK(pool.depth(0) == 0);
  FrameId top = 0;
  for (std::uint32_t depth = 1; depth <= 100; ++depth) {
    for (std::uint32_t other = 1; other <= 10; ++other) pool.push(Frame{depth, other, top});
    top = pool.push(Frame{depth, 0, top});
  }
  CHECK(pool.size() == 1101);
  CHECK(pool.push(Frame{100, 0, pool[top].parent}) == top);
  for (std::uint32_t depth = 100; depth > 0; --depth) {
    REQUIRE(top != 0);
    CHECK(pool.depth(top) == depth);
    CHECK(pool[top].resume == depth);
    CHECK(pool[top].parent < top);
    top = pool[top].parent;
  }
  CHECK(top == 0);
}

}  // namespace pedro
