#include "sandbox/protected_paths.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <set>

#include "sys/descriptor.h"
#include "sys/file_parts.h"
#include "sys/file_system.h"
#include "sys/repositories.h"

namespace pedro {
namespace {

constexpr int kMaxGitFolders = 1000;

// Subfolders of a repository with links to files that git runs or reads.
constexpr std::string_view kLinkFolders[] = {"hooks", "info", "modules", "worktrees"};

// Adds the links in the repository at `git` and in its submodules, whose names may contain slashes.
void add_links_of_repository(const std::string& git, std::vector<std::string>& paths) {
  const RealFileSystem files;
  std::deque<std::string> left = {git};
  for (int seen = 0; !left.empty() && seen < kMaxGitFolders; ++seen) {
    const std::string at = std::move(left.front());
    left.pop_front();
    const auto entries = files.list(at);
    if (!entries) continue;
    const bool is_repository = files.link_info(join_path(at, "HEAD")).kind == FileKind::kFile;
    for (const FolderEntry& entry : *entries) {
      std::string path = join_path(at, entry.name);
      const bool may_hold_links =
          !is_repository || std::find(std::begin(kLinkFolders), std::end(kLinkFolders),
                                      entry.name) != std::end(kLinkFolders);
      if (entry.kind == FileKind::kSymlink) paths.push_back(path);
      if (entry.kind == FileKind::kFolder && may_hold_links) left.push_back(std::move(path));
    }
  }
}

constexpr mode_t kPlaceholderMode = S_ISVTX | S_IRUSR;

bool is_placeholder(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_size == 0 &&
         (status.st_mode & 07777) == kPlaceholderMode;
}

// Creates a locked placeholder. It has its mode from the start, so that one of a killed process is
// always recognized. Another process may remove it before it is locked.
Descriptor new_placeholder(const std::string& path) {
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           kPlaceholderMode));
    struct stat status {};
    if (!file.open()) return {};
    ::flock(file.get(), LOCK_EX);  // fails on disks without locks: a killed process's file remains
    if (::fstat(file.get(), &status) == 0 && status.st_nlink > 0) {
      ::fchmod(file.get(), kPlaceholderMode);  // whatever the umask is
      return file;
    }
  }
}

}  // namespace

std::vector<std::string> places_on_way(const std::string& path) {
  const RealFileSystem files;
  std::vector<std::string> places;
  std::string at = "/";
  std::string left = path;
  for (int links = 0; !left.empty();) {
    const std::size_t slash = std::min(left.find('/'), left.size());
    const std::string name = left.substr(0, slash);
    left.erase(0, slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      at = folder_name(at);
      continue;
    }
    std::string next = join_path(at, name);
    const auto target = files.read_link(next);
    if (!target || ++links > kMaxLinks) {
      at = std::move(next);
      continue;
    }
    if (target->starts_with('/')) at = "/";
    left = *target + "/" + left;
    places.push_back(std::move(next));
  }
  places.push_back(at);
  return places;
}

std::vector<std::string> protected_paths(const std::string& root,
                                         const std::vector<std::string>& more) {
  const RealFileSystem files;
  std::vector<std::string> paths = {join_path(root, ".git"), join_path(root, ".pedro"),
                                    join_path(root, ".pedrocli.json"),
                                    join_path(root, ".mcp.json")};
  const std::vector<std::string> folders = git_folders(paths.front());
  paths.insert(paths.end(), folders.begin(), folders.end());
  paths.insert(paths.end(), more.begin(), more.end());
  for (std::size_t i = 0, given = paths.size(); i < given; ++i) {
    const bool may_be_repository =
        base_name(paths[i]) == ".git" ||
        files.info(join_path(paths[i], "HEAD")).kind != FileKind::kMissing;
    if (may_be_repository) add_links_of_repository(paths[i], paths);
  }
  std::set<std::string> all;
  for (const std::string& path : paths) {
    const std::vector<std::string> places = places_on_way(path);
    all.insert(places.begin(), places.end());
  }
  // A protected folder covers the paths below it. One around the work tree does not count.
  std::vector<std::string> covering = {all.begin(), all.end()};
  std::erase_if(covering, [&](const std::string& path) {
    return is_below(root, path) || files.link_info(path).kind != FileKind::kFolder;
  });
  std::erase_if(all, [&covering](const std::string& path) {
    return std::any_of(covering.begin(), covering.end(), [&path](const std::string& folder) {
      return path != folder && is_below(path, folder);
    });
  });
  return {all.begin(), all.end()};
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
    Descriptor file = new_placeholder(path);
    if (!file.open()) continue;
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
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file.get(), &status) != 0) continue;
    if (status.st_nlink > 0) ::unlink(path.c_str());  // else the path may have another's file
  }
}

}  // namespace pedro
