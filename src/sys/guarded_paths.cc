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
#include "sys/file_system.h"
#include "sys/sandbox_view.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

constexpr std::size_t kMaxEntries = 2000;
constexpr std::uint64_t kMaxBytes = 16u << 20;
constexpr std::uint64_t kMaxGitFileBytes = 8192;
constexpr int kMaxModules = 200;
constexpr int kMaxModuleFolders = 1000;

std::string text_of_link(const std::string& path) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  return std::string(target.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
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
  for (const char* name : {"config", "config.worktree", "hooks", "commondir", "gitdir"}) {
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
  std::vector<std::string> left = {path};
  while (!left.empty() && entries.size() < kMaxEntries) {
    const std::string at = std::move(left.back());
    left.pop_back();
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

bool GuardedPaths::restore(const std::string& path, const Entries& entries) {
  RealFileSystem files;
  remove_tree(path);
  if (files.link_info(path).kind != FileKind::kMissing) return false;
  if (entries.empty()) return true;
  if (entries.size() >= kMaxEntries) return false;
  const std::string folder(folder_name(path));
  if (files.link_info(folder).kind != FileKind::kFolder) remove_tree(folder);
  if (!files.make_folders(folder, 0755)) return false;
  bool whole = true;
  for (const auto& [at, entry] : entries) {
    const unsigned mode = entry.mark.mode & 07777;
    if (S_ISDIR(entry.mark.mode)) {
      whole = ::mkdir(at.c_str(), 0700) == 0 && whole;
    } else if (S_ISLNK(entry.mark.mode)) {
      whole = ::symlink(entry.bytes.c_str(), at.c_str()) == 0 && whole;
    } else {
      whole = entry.kept && files.write_atomic(at, entry.bytes, 0600).ok() && whole;
    }
    if (!S_ISLNK(entry.mark.mode)) whole = ::chmod(at.c_str(), mode) == 0 && whole;
  }
  return whole;
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
    if (held.count(path) != 0 || same(look_at(path), before)) continue;
    const bool restored = restore(path, before);
    const char* done = !restored        ? "could not all be put back"
                       : before.empty() ? "was removed again"
                                        : "was put back";
    said.push_back(fmt::format("{} must not be changed by commands; it {}", path, done));
    Entries now = look_at(path);
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
    }
  } else if (kind != FileKind::kMissing && real) {
    add_git_guards(*real, paths);
    add_module_guards(join_path(*real, "modules"), paths);
  }
  add_link_targets(paths);
  return paths;
}

}  // namespace pedro
