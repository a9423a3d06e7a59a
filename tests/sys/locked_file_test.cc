#include "sys/locked_file.h"

#include <doctest/doctest.h>

#include <optional>

#include "support/temp_folder.h"

namespace pedro {

TEST_CASE("locked file: belongs to one process at a time, and lines are appended") {
  const TempFolder folder;
  const std::string path = folder.write("state", "one\ntor");
  std::optional<Result<LockedFile>> first = LockedFile::open(path);
  REQUIRE(first->ok());
  const auto second = LockedFile::open(path);
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().message == path + ": another pedrocli is using it");
  CHECK((*first)->append("two").ok());
  CHECK((*first)->append("three").ok());
  CHECK(*(*first)->read(100) == "one\ntor\ntwo\nthree\n");
  CHECK_FALSE((*first)->read(3).ok());
  first.reset();
  CHECK(LockedFile::open(path).ok());
}

TEST_CASE("locked file: a folder or a missing folder is an error") {
  const TempFolder folder;
  CHECK(LockedFile::open(folder.path()).error().message == folder.path() + ": Is a directory");
  CHECK(LockedFile::open(folder.at("no/x")).error().message ==
        folder.at("no/x") + ": No such file or directory");
}

}  // namespace pedro
