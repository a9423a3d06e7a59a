#include "sys/pinned_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "sys/file_system.h"
#include "sys/plain_folder.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxPins = 64;
constexpr int kMaxFreeNames = 1000;

bool is_there(int parent, const std::string& name, const struct stat& wanted) {
  struct stat now {};
  return ::fstatat(parent, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 &&
         now.st_dev == wanted.st_dev && now.st_ino == wanted.st_ino;
}

/// Moves an entry to a name that is free there: `wanted`, or with a number behind it. The name; ""
/// where it could not be moved.
std::string move_to_free_name(int from, const std::string& name, int to,
                              const std::string& wanted) {
  for (int i = 1; i < kMaxFreeNames; ++i) {
    const std::string free = i == 1 ? wanted : fmt::format("{}-{}", wanted, i);
    if (::renameat2(from, name.c_str(), to, free.c_str(), RENAME_NOREPLACE) == 0) return free;
    if (errno != EEXIST) break;
  }
  return "";
}

/// Where an open folder is now; "" where it is nowhere.
std::string path_now(int folder) {
  struct stat status {};
  if (::fstat(folder, &status) != 0 || status.st_nlink == 0) return "";
  std::string path(4096, '\0');
  const ssize_t length =
      ::readlink(fmt::format("/proc/self/fd/{}", folder).c_str(), path.data(), path.size());
  path.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
  return path;
}

/// What was done; "" where it is where it was.
std::string put_back_one(const std::string& path, int folder) {
  const Descriptor parent = open_plain_folder(std::string(folder_name(path)));
  const std::string name(base_name(path));
  struct stat wanted {};
  if (::fstat(folder, &wanted) != 0 || is_there(parent.get(), name, wanted)) return "";
  const std::string now = path_now(folder);
  if (now.empty()) return fmt::format("{} must not be removed by commands; it is gone", path);
  // It may lie inside of what took its place: first it gets a name beside it.
  const Descriptor around = open_plain_folder(std::string(folder_name(now)));
  const std::string waiting = move_to_free_name(around.get(), std::string(base_name(now)),
                                                parent.get(), name + ".pedrocli-back");
  const std::string aside =
      move_to_free_name(parent.get(), name, parent.get(), name + ".pedrocli-left");
  if (waiting.empty() || ::renameat2(parent.get(), waiting.c_str(), parent.get(), name.c_str(),
                                     RENAME_NOREPLACE) != 0) {
    return fmt::format("{} must not be moved by commands; it could not be moved back from {}", path,
                       waiting.empty() ? now : waiting);
  }
  return fmt::format("{} must not be moved by commands; it was moved back{}", path,
                     aside.empty() ? "" : ", and what took its place is now called " + aside);
}

}  // namespace

PinnedFolders::PinnedFolders(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (pins_.size() == kMaxPins) break;
    Descriptor folder = open_plain_folder(path);
    if (folder.open()) pins_.push_back({path, std::move(folder)});
  }
}

std::vector<std::string> PinnedFolders::put_back() const {
  std::vector<std::string> said;
  for (const Pin& pin : pins_) {
    std::string sentence = put_back_one(pin.path, pin.folder.get());
    if (!sentence.empty()) said.push_back(std::move(sentence));
  }
  return said;
}

}  // namespace pedro
