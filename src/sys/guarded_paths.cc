#include "sys/guarded_paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <deque>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_parts.h"
#include "sys/file_system.h"
#include "sys/plain_folder.h"
#include "sys/sandbox_view.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntries = 2000;
constexpr int kMaxDepth = 64;
constexpr std::uint64_t kMaxBytes = 16u << 20;
constexpr std::uint64_t kMaxGitFileBytes = 8192;
constexpr int kMaxModules = 200;
constexpr int kMaxModuleFolders = 1000;

/// "" where it is none.
std::string text_of_link(const std::string& path) {
  const auto text = RealFileSystem().read_link(path);
  return text ? *text : "";
}

/// The path that a file such as `.git` or `commondir` says, relative to its folder; "" where there
/// is none.
std::string path_said_by(const std::string& file, std::string_view before) {
  const RealFileSystem files;
  const auto text = files.read(file, kMaxGitFileBytes);
  if (!text || !text->starts_with(before)) return "";
  const std::string_view said = trim(std::string_view(*text).substr(before.size()));
  if (said.empty()) return "";
  const auto real = files.canonical(join_path(folder_name(file), said));
  return real ? *real : "";
}

void add_git_guards(const std::string& git, std::vector<std::string>& paths) {
  for (const char* name :
       {"config", "config.worktree", "hooks", "info", "objects/info", "commondir", "gitdir"}) {
    paths.push_back(join_path(git, name));
  }
}

/// Of the repositories below `folder`, git's place for those of submodules, whose names may have
/// slashes in them.
void add_module_guards(const std::string& folder, std::vector<std::string>& paths) {
  const RealFileSystem files;
  std::deque<std::string> left = {folder};
  for (int found = 0, seen = 0; !left.empty() && found < kMaxModules && seen < kMaxModuleFolders;
       ++seen) {
    const std::string at = std::move(left.front());
    left.pop_front();
    if (files.link_info(at).kind != FileKind::kFolder) continue;
    if (files.link_info(join_path(at, "HEAD")).kind == FileKind::kFile) {
      ++found;
      add_git_guards(at, paths);
      left.push_back(join_path(at, "modules"));
      continue;
    }
    const auto inside = files.list(at);
    if (!inside) continue;
    for (const FolderEntry& entry : *inside) left.push_back(join_path(at, entry.name));
  }
}

/// Whether `name` is gone, with all below it.
bool remove_in(int folder, const std::string& name) {
  remove_tree(folder, name);
  return ::faccessat(folder, name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

/// The file `name` in place of what is there and no folder; whole or not at all.
bool write_in(int folder, const std::string& name, std::string_view bytes, unsigned mode) {
  const std::string fresh = name + ".pedrocli-new";
  remove_tree(folder, fresh);
  const Descriptor file(
      ::openat(folder, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  return file.open() && write_all(file.get(), bytes) == 0 && ::fchmod(file.get(), mode) == 0 &&
         sync_file(file.get()) == 0 && ::renameat(folder, fresh.c_str(), folder, name.c_str()) == 0;
}

/// Where one of the paths is a link, what it leads to is guarded too, be it there or not.
void add_link_targets(std::vector<std::string>& paths) {
  const RealFileSystem files;
  const std::vector<std::string> given = paths;
  for (const std::string& path : given) {
    if (files.link_info(path).kind != FileKind::kSymlink) continue;
    const auto real = files.canonical(path);
    paths.push_back(real ? *real : normal_path(join_path(folder_name(path), text_of_link(path))));
  }
}

}  // namespace

GuardedPaths::Entries GuardedPaths::look_at(const std::string& path) {
  const RealFileSystem files;
  Entries entries;
  if (!open_plain_folder(std::string(folder_name(path))).open()) return entries;
  std::deque<std::string> left = {path};  // what lies nearer comes first
  while (!left.empty() && entries.size() < kMaxEntries) {
    const std::string at = std::move(left.front());
    left.pop_front();
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0) continue;
    Entry entry;
    entry.mark = {.device = status.st_dev,
                  .inode = status.st_ino,
                  .mode = status.st_mode,
                  .bytes = S_ISDIR(status.st_mode) ? 0 : status.st_size,
                  .modified_ns = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec,
                  .changed_ns = status.st_ctim.tv_sec * 1'000'000'000LL + status.st_ctim.tv_nsec};
    entries.emplace(at, std::move(entry));
    if (!S_ISDIR(status.st_mode)) continue;
    const auto inside = files.list(at);
    if (!inside) continue;
    for (const FolderEntry& found : *inside) left.push_back(join_path(at, found.name));
  }
  return entries;
}

void GuardedPaths::read(Entries& entries, const Entries& before) {
  const RealFileSystem files;
  std::uint64_t left = kMaxBytes;
  for (auto& [path, entry] : entries) {
    const auto known = before.find(path);
    if (known != before.end() && known->second.kept && known->second.mark == entry.mark) {
      entry = known->second;
    } else if (S_ISLNK(entry.mark.mode)) {
      entry.bytes = text_of_link(path);
      entry.kept = true;
    } else if (S_ISREG(entry.mark.mode)) {
      auto bytes = files.read(path, left);
      entry.kept = bytes.ok();
      if (bytes) entry.bytes = std::move(*bytes);
    }
    left -= std::min<std::uint64_t>(left, entry.bytes.size());
  }
}

bool GuardedPaths::same(const Entries& a, const Entries& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.mark == other.second.mark;
  });
}

void GuardedPaths::remember() {
  for (const std::string& path : paths_) {
    Entries entries = look_at(path);
    Entries& before = remembered_[path];
    if (same(entries, before)) continue;
    read(entries, before);
    before = std::move(entries);
  }
}

bool GuardedPaths::make(const std::string& path, const Entry& entry, bool there) {
  const Descriptor folder = make_plain_folder(std::string(folder_name(path)));
  const std::string name(base_name(path));
  const unsigned mode = entry.mark.mode & 07777;
  if (S_ISDIR(entry.mark.mode)) {
    const bool made = there || ::mkdirat(folder.get(), name.c_str(), 0700) == 0;
    return made && ::fchmodat(folder.get(), name.c_str(), mode, 0) == 0;
  }
  if (!entry.kept) return false;
  if (!S_ISLNK(entry.mark.mode)) return write_in(folder.get(), name, entry.bytes, mode);
  return (!there || ::unlinkat(folder.get(), name.c_str(), 0) == 0) &&
         ::symlinkat(entry.bytes.c_str(), folder.get(), name.c_str()) == 0;
}

// What has not changed is not touched, so that what could not be kept is not lost over it.
bool GuardedPaths::restore(const Entries& before, const Entries& now) {
  const auto type_in = [](const Entries& entries, const std::string& path) {
    const auto found = entries.find(path);
    return found == entries.end() ? 0u : found->second.mark.mode & S_IFMT;
  };
  // Of more entries than that, new ones cannot be told from those that were left out.
  const bool can_tell = before.size() < kMaxEntries && now.size() < kMaxEntries;
  bool whole = can_tell;
  for (const auto& [path, entry] : now) {
    if (!can_tell || type_in(before, path) == (entry.mark.mode & S_IFMT)) continue;
    const Descriptor folder = open_plain_folder(std::string(folder_name(path)));
    if (!folder.open()) continue;  // gone with what is above it
    const std::string name(base_name(path));
    whole = remove_in(folder.get(), name) && whole;
  }
  for (const auto& [path, entry] : before) {
    const auto found = now.find(path);
    if (found != now.end() && found->second.mark == entry.mark) continue;
    whole = make(path, entry, type_in(now, path) == (entry.mark.mode & S_IFMT)) && whole;
  }
  return whole;
}

bool GuardedPaths::restore_all(const std::string& path, const Entries& before, Entries& now) {
  // Behind a folder without rights nothing is seen before it has them again.
  for (int depth = 0; depth < kMaxDepth && open_folders(before, now); ++depth) now = look_at(path);
  const bool whole = restore(before, now);
  now = look_at(path);
  return whole;
}

bool GuardedPaths::open_folders(const Entries& before, const Entries& now) {
  bool opened = false;
  for (const auto& [path, entry] : now) {
    const mode_t mode = entry.mark.mode;
    if (!S_ISDIR(mode) || (mode & S_IRWXU) == S_IRWXU || before.count(path) == 0) continue;
    const Descriptor folder = open_plain_folder(std::string(folder_name(path)));
    const std::string name(base_name(path));
    opened = (folder.open() &&
              ::fchmodat(folder.get(), name.c_str(), (mode & 07777) | S_IRWXU, 0) == 0) ||
             opened;
  }
  return opened;
}

std::map<std::string, std::string> GuardedPaths::missing_and_links() const {
  std::map<std::string, std::string> found;
  for (const std::string& path : paths_) {
    const auto entries = remembered_.find(path);
    if (entries == remembered_.end()) continue;
    const auto own = entries->second.find(path);
    if (own == entries->second.end()) {
      found.emplace(path, "");
    } else if (S_ISLNK(own->second.mark.mode)) {
      found.emplace(path, own->second.bytes);
    }
  }
  return found;
}

std::vector<std::string> GuardedPaths::put_back(const std::set<std::string>& held) {
  std::vector<std::string> said;
  for (const std::string& path : paths_) {
    Entries& before = remembered_[path];
    if (held.count(path) != 0) continue;
    Entries now = look_at(path);
    if (same(now, before)) continue;
    const bool restored = restore_all(path, before, now);
    const char* done = !restored        ? "could not all be put back"
                       : before.empty() ? "was removed again"
                                        : "was put back";
    said.push_back(fmt::format("{} must not be changed by commands; it {}", path, done));
    read(now, before);
    before = std::move(now);
  }
  return said;
}

GitFolders git_folders_outside(const std::string& root) {
  GitFolders folders;
  const std::string own = path_said_by(join_path(root, ".git"), "gitdir:");
  // Only what is a repository, and nothing that would open up more than one.
  const auto usable = [&root](const std::string& folder) {
    return !folder.empty() && !is_below(folder, root) &&
           RealFileSystem().info(join_path(folder, "HEAD")).kind == FileKind::kFile;
  };
  if (!usable(own)) return folders;
  folders.write.push_back(own);
  const std::string common = path_said_by(join_path(own, "commondir"), "");
  if (!usable(common)) return folders;
  folders.read.push_back(common);
  for (const char* name : {"objects", "refs", "logs"}) {
    const std::string shared = join_path(common, name);
    if (RealFileSystem().link_info(shared).kind == FileKind::kFolder) {
      folders.write.push_back(shared);
    }
  }
  return folders;
}

std::vector<std::string> folders_between(const std::vector<std::string>& writable,
                                         const std::vector<std::string>& guarded) {
  const RealFileSystem files;
  const auto is_written_above = [&writable](const std::string& path) {
    return std::any_of(writable.begin(), writable.end(), [&path](const std::string& folder) {
      return path != folder && is_below(path, folder);
    });
  };
  std::set<std::string> folders;  // in this order what lies above comes first
  for (const std::string& path : guarded) {
    std::string above(folder_name(path));
    for (; is_written_above(above); above = folder_name(above)) {
      if (files.link_info(above).kind == FileKind::kFolder) folders.insert(above);
    }
  }
  return {folders.begin(), folders.end()};
}

std::vector<std::string> guarded_paths_of(const std::string& root) {
  const RealFileSystem files;
  std::vector<std::string> paths = {join_path(root, ".pedro"), join_path(root, ".pedrocli.json")};
  const std::string git = join_path(root, ".git");
  const FileKind kind = files.link_info(git).kind;
  const auto real = kind == FileKind::kSymlink ? files.canonical(git) : git;
  if (kind != FileKind::kFolder && kind != FileKind::kMissing) paths.push_back(git);
  if (kind == FileKind::kFile) {
    const GitFolders folders = git_folders_outside(root);
    if (!folders.write.empty()) {
      add_git_guards(folders.write.front(), paths);
      add_module_guards(join_path(folders.write.front(), "modules"), paths);
      for (const std::string& common : folders.read) {
        paths.push_back(join_path(common, "objects/info"));
      }
    }
  } else if (kind != FileKind::kMissing && real) {
    add_git_guards(*real, paths);
    add_module_guards(join_path(*real, "modules"), paths);
  }
  add_link_targets(paths);
  return paths;
}

}  // namespace pedro
