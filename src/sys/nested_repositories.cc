#include "sys/nested_repositories.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <deque>

#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxFolders = 2000;
/// Twice what the coarsest clock of a file system's times is off; a later change may bear the same.
constexpr long long kUnsettled_ns = 20'000'000;

long long now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

long long changed_ns(const struct stat& status) {
  return status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec;
}

}  // namespace

NestedRepositories::Mark NestedRepositories::mark_of(const std::string& path, bool times) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {} {}", status.st_dev, status.st_ino, status.st_mode & S_IFMT,
                     times ? changed_ns(status) : 0);
}

NestedRepositories::Mark NestedRepositories::mark_of_repository(const std::string& git) {
  const bool folder = RealFileSystem().link_info(git).kind == FileKind::kFolder;
  return fmt::format("{}|{}|{}", mark_of(git, !folder), mark_of(git + "/config", true),
                     mark_of(git + "/hooks", true));
}

void NestedRepositories::list_again(Folder& folder) {
  struct stat status {};
  const bool there = ::lstat(folder.path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  const Mark mark = there ? mark_of(folder.path, true) : "";
  if (there && mark == folder.listed) return;
  std::vector<Folder> before = std::exchange(folder.folders, {});
  folder.has_git = false;
  const bool settled = now_ns() - changed_ns(status) > kUnsettled_ns;
  folder.listed = there && settled ? mark : "";
  const auto entries = RealFileSystem().list(folder.path);
  if (!there || !entries) return;
  auto known = before.begin();  // in the order of names, as the entries are
  for (const FolderEntry& entry : *entries) {
    if (entry.name == ".git") folder.has_git = true;
    if (entry.name == ".git" || entry.kind != FileKind::kFolder) continue;
    if (folder.folders.size() == kMaxFolders) continue;
    std::string path = join_path(folder.path, entry.name);
    while (known != before.end() && known->path < path) ++known;
    const bool again = known != before.end() && known->path == path;
    folder.folders.push_back(again ? std::move(*known) : Folder{.path = std::move(path)});
    if (again) ++known;
  }
}

std::vector<std::string> NestedRepositories::changed() {
  std::map<std::string, Mark> now;
  std::deque<Folder*> left = {&root_};
  for (std::size_t count = 0; !left.empty() && count < kMaxFolders; ++count) {
    Folder& folder = *left.front();
    left.pop_front();
    list_again(folder);
    if (folder.has_git && &folder != &root_) {
      now[folder.path] = mark_of_repository(join_path(folder.path, ".git"));
    }
    for (Folder& inside : folder.folders) left.push_back(&inside);
  }
  std::vector<std::string> changed;
  for (const auto& [path, mark] : now) {
    const auto before = known_.find(path);
    if (looked_ && (before == known_.end() || before->second != mark)) changed.push_back(path);
  }
  known_ = std::move(now);
  looked_ = true;
  return changed;
}

}  // namespace pedro
