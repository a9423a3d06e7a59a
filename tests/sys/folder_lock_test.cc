#include "sys/folder_lock.h"

#include <doctest/doctest.h>

#include <optional>

#include "support/temp_folder.h"

namespace pedro {

TEST_CASE("folder_lock: the second one is refused until the first is gone") {
  const TempFolder folder;
  std::optional<Result<FolderLock>> first = FolderLock::take(folder.path());
  REQUIRE(first->ok());
  const auto second = FolderLock::take(folder.path());
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().kind == ErrorKind::kUsage);
  CHECK(second.error().message == folder.path() +
                                      ": another pedrocli is working here; wait for it, or use a "
                                      "separate work tree (build -worktree)");
  first.reset();
  CHECK(FolderLock::take(folder.path()).ok());
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("folder_lock: a folder that is not there") {
  const TempFolder folder;
  const auto lock = FolderLock::take(folder.at("x"));
  REQUIRE_FALSE(lock.ok());
  CHECK(lock.error().message == folder.at("x") + ": No such file or directory");
}

}  // namespace pedro
