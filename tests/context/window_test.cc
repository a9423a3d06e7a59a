#include "context/window.h"

#include <doctest/doctest.h>

namespace pedro {

TEST_CASE("window: free room is the part that neither prompt nor reply needs") {
  struct Row {
    const char* name;
    Window window;
    long long free_tokens;
    std::size_t result_bytes;
  };
  for (const Row& row : {
           Row{"an empty window", {8192, 0, 1024}, 7167, 5373},
           Row{"half full", {8192, 4000, 1024}, 3167, 2373},
           Row{"nearly full: an error message still fits", {8192, 7000, 1024}, 167, 1024},
           Row{"over full", {8192, 9000, 1024}, 0, 1024},
           Row{"not known", {0, 0, 0}, 0, 1024},
       }) {
    CAPTURE(row.name);
    CHECK(row.window.free_tokens() == row.free_tokens);
    CHECK(row.window.result_allowance_bytes() == row.result_bytes);
  }
}

}  // namespace pedro
