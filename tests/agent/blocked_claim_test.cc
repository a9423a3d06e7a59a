#include "agent/places.h"
#include "agent/tool_world.h"

namespace pedro {

TEST_CASE("blocked claim: files and programs in backticks are looked up") {
  ToolWorld world;
  REQUIRE(world.files.write_atomic(world.folder.path() + "/a.txt", "x", 0644).ok());
  CHECK(check_blocked_claim("`no-such-program-1` is missing, `sh` is there; `a.txt`, `b/c.py`, "
                            "`a b` and `-x` too, `open",
                            world.tools) ==
        std::vector<std::string>{"`no-such-program-1`: this machine has no such program",
                                 "`sh`: this machine has this program",
                                 "`a.txt`: is in the project", "`b/c.py`: is not in the project"});
  CHECK(check_blocked_claim("nothing named", world.tools).empty());
}

}  // namespace pedro
