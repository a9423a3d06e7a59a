#include "sys/tree_entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "sys/file_parts.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntries = 1'000'000;

// Adds the permission bits `needed` to a file or folder that lacks them.
void add_mode(const std::string& path, const struct stat& state, mode_t needed) {
  if ((state.st_mode & needed) == needed) return;
  (void)::chmod(path.c_str(), (state.st_mode & 07777) | needed);
}

constexpr std::string_view kLinkSuffix = ".pedrocli-link";

TreeEntry entry_of(std::string path, const struct stat& state) {
  TreeEntry entry;
  entry.path = std::move(path);
  entry.kind = S_ISDIR(state.st_mode)   ? FileKind::kFolder
               : S_ISREG(state.st_mode) ? FileKind::kFile
               : S_ISLNK(state.st_mode) ? FileKind::kSymlink
                                        : FileKind::kOther;
  entry.mode = state.st_mode & 07777;
  entry.inode = state.st_ino;
  entry.links = state.st_nlink;
  entry.changed_ns = state.st_ctim.tv_sec * 1'000'000'000LL + state.st_ctim.tv_nsec;
  return entry;
}

}  // namespace

void open_tree(const std::string& root) {
  std::vector<std::string> todo{root};
  std::size_t entries = 0;
  while (!todo.empty()) {
    const std::string folder = std::move(todo.back());
    todo.pop_back();
    DIR* const open = ::opendir(folder.c_str());
    if (open == nullptr) continue;
    while (const dirent* const entry = ::readdir(open)) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name == ".git" || ++entries > kMaxEntries) continue;
      const std::string path = join_path(folder, name);
      struct stat state {};
      if (::lstat(path.c_str(), &state) != 0) continue;
      if (S_ISDIR(state.st_mode)) {
        add_mode(path, state, S_IRWXU);
        todo.push_back(path);
      } else if (S_ISREG(state.st_mode)) {
        add_mode(path, state, S_IRUSR);
      }
    }
    ::closedir(open);
  }
}

std::vector<TreeEntry> tree_entries(const std::string& root,
                                    const std::function<bool(const std::string&)>& enters) {
  std::vector<TreeEntry> entries;
  struct stat top {};
  if (::lstat(root.c_str(), &top) != 0) return entries;
  constexpr std::size_t kRoot = static_cast<std::size_t>(-1);
  std::vector<std::size_t> todo = {kRoot};  // folders in `entries`
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    const std::string folder = at == kRoot ? "" : entries[at].path + "/";
    DIR* const open = ::opendir(join_path(root, folder).c_str());
    if (open == nullptr) continue;
    int count = 0;
    while (const dirent* const found = ::readdir(open)) {
      const std::string_view name = found->d_name;
      if (name == "." || name == "..") continue;
      ++count;
      struct stat state {};
      if (name == ".git" || entries.size() >= kMaxEntries) continue;
      if (::fstatat(::dirfd(open), found->d_name, &state, AT_SYMLINK_NOFOLLOW) != 0) continue;
      entries.push_back(entry_of(folder + std::string(name), state));
      const bool is_inside = S_ISDIR(state.st_mode) && state.st_dev == top.st_dev;
      if (is_inside && enters(entries.back().path)) todo.push_back(entries.size() - 1);
    }
    ::closedir(open);
    if (at != kRoot) entries[at].entries = count;
  }
  return entries;
}

Status set_mode(const std::string& path, std::uint32_t mode) {
  const bool done = ::fchmodat(AT_FDCWD, path.c_str(), mode, AT_SYMLINK_NOFOLLOW) == 0;
  return done ? Status() : Status(failure(path, errno));
}

Status link_over(const std::string& file, const std::string& path) {
  const std::string made = path + std::string(kLinkSuffix);
  ::unlink(made.c_str());
  if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, made.c_str(), 0) != 0) {
    return failure(path, errno);
  }
  if (::rename(made.c_str(), path.c_str()) == 0) return {};
  const int reason = errno;
  ::unlink(made.c_str());
  return failure(path, reason);
}

Status make_symlink(const std::string& target, const std::string& path) {
  const bool done = ::symlink(target.c_str(), path.c_str()) == 0;
  return done ? Status() : Status(failure(path, errno));
}

bool remove_empty_folder(const std::string& path) {
  return ::rmdir(path.c_str()) == 0;
}

}  // namespace pedro
