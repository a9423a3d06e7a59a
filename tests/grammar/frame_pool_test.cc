#include "grammar/frame_pool.h"

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

TEST_CASE("frame pool: compaction drops what nobody uses and keeps the rest") {
  FramePool pool;
  FrameId top = 0;
  for (std::uint32_t depth = 1; depth <= 100; ++depth) {
    for (std::uint32_t other = 1; other <= 10; ++other) pool.push(Frame{depth, other, top});
    top = pool.push(Frame{depth, 0, top});
  }
  FrameId bottom = 0;
  CHECK(pool.wants_compaction());
  std::vector<FrameId*> tops = {&top, &bottom};
  pool.compact(tops);
  CHECK(pool.size() == 101);
  CHECK(bottom == 0);
  CHECK_FALSE(pool.wants_compaction());
  const FrameId same = top;
  for (std::uint32_t depth = 100; depth > 0; --depth) {
    REQUIRE(top != 0);
    CHECK(pool[top].resume == depth);
    CHECK(pool[top].parent < top);
    top = pool[top].parent;
  }
  CHECK(top == 0);
  CHECK(pool.push(Frame{100, 0, pool[same].parent}) == same);
}

}  // namespace pedro
