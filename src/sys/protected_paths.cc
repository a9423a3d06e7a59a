#include "sys/protected_paths.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <set>

#include "base/text.h"
#include "sys/descriptor.h"
#include "sys/file_system.h"
#include "sys/sandbox_view.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxGitFileBytes = 8192;
constexpr std::uint64_t kMaxAlternatesBytes = 64u << 10;
constexpr int kMaxAlternateDepth = 5;  // git's own limit
constexpr int kMaxGitFolders = 1000;

// Returns the canonical path in a file such as `.git` or `commondir`; "" if there is none.
std::string path_named_in(const std::string& file, std::string_view before) {
  const RealFileSystem files;
  const auto text = files.read(file, kMaxGitFileBytes);
  if (!text || !text->starts_with(before)) return "";
  const std::string_view said = trim(std::string_view(*text).substr(before.size()));
  if (said.empty()) return "";
  const auto real = files.canonical(join_path(folder_name(file), said));
  return real ? *real : "";
}

// Adds the object folders that `objects` borrows from.
void add_alternates(const std::string& objects, std::set<std::string>& folders) {
  const RealFileSystem files;
  std::deque<std::pair<std::string, int>> left = {{objects, 0}};
  while (!left.empty()) {
    const auto [at, depth] = std::move(left.front());
    left.pop_front();
    const auto text = files.read(join_path(at, "info/alternates"), kMaxAlternatesBytes);
    if (!text) continue;
    for (const std::string_view line : split_lines(*text)) {
      if (line.empty() || line.starts_with('#')) continue;
      const auto real = files.canonical(join_path(at, line));
      if (!real || *real == "/" || !folders.insert(*real).second) continue;
      if (depth < kMaxAlternateDepth) left.emplace_back(*real, depth + 1);
    }
  }
}

// Adds the target of a link, even if the target is missing.
void add_target(const std::string& path, std::vector<std::string>& paths) {
  const RealFileSystem files;
  if (files.link_info(path).kind != FileKind::kSymlink) return;
  const auto real = files.canonical(path);
  const auto text = files.read_link(path);
  if (real) {
    paths.push_back(*real);
  } else if (text) {
    paths.push_back(normal_path(join_path(folder_name(path), *text)));
  }
}

// Adds the targets of links in the repository at `git` and in its submodules, whose names may
// contain slashes.
void add_targets_of_repository(const std::string& git, std::vector<std::string>& paths) {
  const RealFileSystem files;
  std::deque<std::string> left = {git};
  for (int seen = 0; !left.empty() && seen < kMaxGitFolders; ++seen) {
    const std::string at = std::move(left.front());
    left.pop_front();
    const auto entries = files.list(at);
    if (!entries) continue;
    const bool is_repository = files.link_info(join_path(at, "HEAD")).kind == FileKind::kFile;
    for (const FolderEntry& entry : *entries) {
      const std::string path = join_path(at, entry.name);
      if (entry.kind == FileKind::kSymlink) add_target(path, paths);
      if (entry.kind != FileKind::kFolder) continue;
      if (!is_repository || entry.name == "modules") left.push_back(path);
    }
  }
}

constexpr mode_t kPlaceholderMode = S_ISVTX | S_IRUSR;

bool is_placeholder(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_size == 0 &&
         (status.st_mode & 07777) == kPlaceholderMode;
}

}  // namespace

std::vector<std::string> protected_paths(const std::string& root,
                                         const std::vector<std::string>& more) {
  const std::string git = join_path(root, ".git");
  std::vector<std::string> paths = {git, join_path(root, ".pedro"),
                                    join_path(root, ".pedrocli.json"),
                                    join_path(root, ".mcp.json")};
  paths.insert(paths.end(), more.begin(), more.end());
  for (std::size_t i = 0, given = paths.size(); i < given; ++i) add_target(paths[i], paths);
  add_targets_of_repository(git, paths);
  return paths;
}

std::vector<std::string> folders_between(const std::vector<std::string>& writable,
                                         const std::vector<std::string>& paths) {
  const RealFileSystem files;
  const auto is_written_above = [&writable](const std::string& path) {
    return std::any_of(writable.begin(), writable.end(), [&path](const std::string& folder) {
      return path != folder && is_below(path, folder);
    });
  };
  std::set<std::string> folders;  // sorted: outer folders come first
  for (const std::string& path : paths) {
    std::string above(folder_name(path));
    for (; is_written_above(above); above = folder_name(above)) {
      if (files.link_info(above).kind == FileKind::kFolder) folders.insert(above);
    }
  }
  return {folders.begin(), folders.end()};
}

std::vector<std::string> git_folders_outside(const std::string& root) {
  const RealFileSystem files;
  const std::string git = join_path(root, ".git");
  std::set<std::string> folders;
  std::string objects = join_path(git, "objects");
  const std::string own = path_named_in(git, "gitdir:");
  // Accepts only a repository: the file could name any path.
  const auto is_repository = [&files](const std::string& folder) {
    return !folder.empty() && files.info(join_path(folder, "HEAD")).kind == FileKind::kFile;
  };
  if (is_repository(own)) {
    folders.insert(own);
    objects = join_path(own, "objects");
    const std::string common = path_named_in(join_path(own, "commondir"), "");
    if (is_repository(common)) {
      folders.insert(common);
      objects = join_path(common, "objects");
    }
  }
  add_alternates(objects, folders);
  std::erase_if(folders, [&root](const std::string& folder) { return is_below(folder, root); });
  return {folders.begin(), folders.end()};
}

Placeholders::Placeholders(const std::vector<std::string>& missing) {
  RealFileSystem files;
  for (const std::string& path : missing) {
    std::vector<std::string> above;
    for (std::string folder(folder_name(path)); folder.size() > 1; folder = folder_name(folder)) {
      if (files.link_info(folder).kind != FileKind::kMissing) break;
      above.push_back(folder);
    }
    if (!files.make_folders(std::string(folder_name(path)), 0755)) continue;
    folders_.insert(folders_.end(), above.rbegin(), above.rend());
    Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.open() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    ::fchmod(file.get(), kPlaceholderMode);
    locks_.push_back(std::move(file));
    files_.push_back(path);
  }
}

Placeholders::~Placeholders() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    struct stat ours {};
    struct stat now {};
    const bool is_same = ::fstat(locks_[i].get(), &ours) == 0 &&
                         ::lstat(files_[i].c_str(), &now) == 0 && ours.st_ino == now.st_ino;
    if (is_same && is_placeholder(now)) ::unlink(files_[i].c_str());
    if (is_same && now.st_size > 0) ::fchmod(locks_[i].get(), 0644);
  }
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    ::rmdir(folder->c_str());  // fails if the user added files
  }
}

void remove_left_placeholders(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file.open() || ::fstat(file.get(), &status) != 0 || !is_placeholder(status)) continue;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  }
}

}  // namespace pedro
