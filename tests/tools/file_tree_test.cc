#include <doctest/doctest.h>

#include "tools/file_list.h"

namespace pedro {

TEST_CASE("file tree: upper levels first, the rest is counted") {
  const std::vector<std::string> paths = {"a/1", "a/2", "a/3", "b/c/1", "b/c/2", "z"};
  CHECK(draw_tree(paths, 9, 99) == "a/\n  1\n  2\n  3\nb/\n  c/\n    1\n    2\nz\n");
  CHECK(draw_tree(paths, 1, 99) == "a/ (3 files)\nb/ (2 files)\nz\n");
  CHECK(draw_tree(paths, 9, 5) ==
        "a/\n  1\n  2\nb/ (2 files)\nz\n"
        "[... 4 more not shown; give a directory or a smaller max_depth ...]\n");
  CHECK(draw_tree({}, 3, 9) == "");
}

TEST_CASE("file tree: a path of thousands of folders does not nest for ever") {
  std::string path;
  for (int i = 0; i < 2000; ++i) path += "d/";
  CHECK(draw_tree({path + "f"}, 5000, 5000).size() < path.size() + 10'000);
}

}  // namespace pedro
