#include "sys/heartbeat.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>

#include "support/temp_folder.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

void set_back(const std::string& path) {
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0) == 0);
}

bool is_new(const std::string& path) {
  return RealFileSystem().link_info(path).modified_ns > 1000LL * 1'000'000'000;
}

// Waits up to a minute for a beat. Returns true if it came.
bool comes(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_new(path) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return is_new(path);
}

}  // namespace

TEST_CASE("heartbeat: the file has the time of now at once, and again and again") {
  const TempFolder folder;
  const std::string path = folder.write("heartbeat", "");
  set_back(path);
  const Heartbeat heart(path, 1);
  CHECK(is_new(path));
  for (int i = 0; i < 3; ++i) {
    set_back(path);
    CHECK(comes(path));
  }
}

TEST_CASE("heartbeat: it ends at once, however rare its beats are, and the file stays") {
  const TempFolder folder;
  { const Heartbeat heart(folder.at("heartbeat"), 24 * 3600 * 1000); }
  CHECK(RealFileSystem().link_info(folder.at("heartbeat")).mode == 0600);
}

TEST_CASE("heartbeat: a file that cannot be made is tried again, and nothing else happens") {
  const TempFolder folder;
  const Heartbeat heart(folder.at("later/heartbeat"), 1);
  CHECK_FALSE(is_new(folder.at("later/heartbeat")));
  std::filesystem::create_directory(folder.at("later"));
  CHECK(comes(folder.at("later/heartbeat")));
}

TEST_CASE("heartbeat: links are not followed") {
  const TempFolder folder;
  const std::string file = folder.write("file", "");
  set_back(file);
  std::filesystem::create_symlink(file, folder.at("heartbeat"));
  { const Heartbeat heart(folder.at("heartbeat")); }
  CHECK_FALSE(is_new(file));
}

}  // namespace pedro
