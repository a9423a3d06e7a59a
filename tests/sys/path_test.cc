#include <doctest/doctest.h>

#include "sys/file_system.h"

namespace pedro {

TEST_CASE("path: joining") {
  CHECK(join_path("a", "b") == "a/b");
  CHECK(join_path("a/", "b") == "a/b");
  CHECK(join_path("/", "b") == "/b");
  CHECK(join_path("a", "/b") == "/b");
  CHECK(join_path("", "b") == "b");
  CHECK(join_path("a", "") == "a");
}

TEST_CASE("path: name and folder") {
  struct Row {
    std::string_view path, folder, name;
  };
  for (const Row& row :
       {Row{"a/b", "a", "b"}, Row{"b", ".", "b"}, Row{"/b", "/", "b"}, Row{"/", "/", "/"},
        Row{"a/b/", "a", "b"}, Row{"a//b", "a", "b"}, Row{"/a/b.c", "/a", "b.c"}}) {
    CAPTURE(row.path);
    CHECK(folder_name(row.path) == row.folder);
    CHECK(base_name(row.path) == row.name);
  }
}

TEST_CASE("path: normal form") {
  struct Row {
    std::string_view path, normal;
  };
  for (const Row& row :
       {Row{"a/./b//../c", "a/c"}, Row{"", "."}, Row{".", "."}, Row{"a/..", "."},
        Row{"../a", "../a"}, Row{"a/../../b", "../b"}, Row{"/..", "/"}, Row{"/../../a", "/a"},
        Row{"/", "/"}, Row{"//a///b/", "/a/b"}, Row{"...", "..."}, Row{"../..", "../.."}}) {
    CAPTURE(row.path);
    CHECK(normal_path(row.path) == row.normal);
  }
}

TEST_CASE("path: a folder is below itself, and everything is below the root") {
  for (const char* path : {"/a", "/a/b", "/a/b/c"}) {
    CHECK(is_below(path, "/a"));
    CHECK(is_below(path, "/"));
  }
  for (const char* path : {"/", "/ab", "/b/a", ""}) CHECK_FALSE(is_below(path, "/a"));
}

}  // namespace pedro
