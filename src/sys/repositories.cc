#include "sys/repositories.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

constexpr std::uint64_t kMaxGitFileBytes = 8192;
constexpr std::uint64_t kMaxAlternatesBytes = 64u << 10;
constexpr int kMaxAlternateDepth = 5;  // git's own limit
constexpr std::size_t kMaxReports = 5;
constexpr long long kSameTime_s = 2;  // two changes within it can have the same time
constexpr const char* kDisabled = ".disabled";
// Git refuses a repository of this version, and does not look for another one above it.
constexpr const char* kRefusedConfig = "[core]\n\trepositoryformatversion = 999\n";
constexpr std::array<std::string_view, 11> kProductFolders = {
    "node_modules", "target", "build", "dist", "out", ".cache",
    ".venv",        "venv",   ".tox",  "tmp",  "temp"};

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

// Returns the folder that `git`, a folder, a file or a link, leads to; "" if there is none.
std::string folder_of(const std::string& git) {
  const RealFileSystem files;
  if (files.info(git).kind != FileKind::kFolder) return path_named_in(git, "gitdir:");
  const auto real = files.canonical(git);
  return real ? *real : "";
}

bool is_there(const std::string& path) {
  return RealFileSystem().link_info(path).kind != FileKind::kMissing;
}

// Distinguishes a repository from other folders, as git does: a `.git` file could name any path.
bool is_repository(const std::string& folder) {
  if (folder.empty() || !is_there(join_path(folder, "HEAD"))) return false;
  if (is_there(join_path(folder, "commondir"))) return true;
  if (!is_there(join_path(folder, "objects")) || !is_there(join_path(folder, "refs"))) return false;
  const auto config = RealFileSystem().read(join_path(folder, "config"), kMaxGitFileBytes);
  return !config || *config != kRefusedConfig;
}

bool is_pipe_for_git(const FolderEntry& entry) {
  return entry.kind == FileKind::kOther &&
         (entry.name.starts_with(".git") || entry.name == ".mailmap");
}

// Renames `path` to a free name. Returns that name.
Result<std::string> put_aside(const std::string& path) {
  std::string place = path + kDisabled;
  for (int i = 2; is_there(place); ++i) place = fmt::format("{}{}-{}", path, kDisabled, i);
  if (Status renamed = RealFileSystem().rename(path, place); !renamed) return renamed.error();
  return place;
}

// Makes git refuse the repository in `folder`.
Status refuse_repository(const std::string& folder) {
  (void)::chmod(folder.c_str(), S_IRWXU);
  for (const char* name : {"commondir", "config"}) {
    if (!is_there(join_path(folder, name))) continue;
    if (auto place = put_aside(join_path(folder, name)); !place) return place.error();
  }
  return RealFileSystem().write_atomic(join_path(folder, "config"), kRefusedConfig, 0644);
}

// Disables the repository at `git`. Returns its new place.
Result<std::string> disable(const std::string& git) {
  RealFileSystem files;
  const bool is_folder = files.link_info(git).kind == FileKind::kFolder;
  if (is_folder) {
    PEDRO_RETURN_IF_ERROR(refuse_repository(git));
  }
  if (base_name(git) != ".git") return git;
  PEDRO_TRY(std::string place, put_aside(git));
  if (is_folder) (void)files.write_atomic(join_path(place, ".gitignore"), "*\n", 0644);
  // Without this file, a program's git commands in the folder would change the outer repository.
  const std::string text = fmt::format("pedrocli moved this repository to {}\n", base_name(place));
  PEDRO_RETURN_IF_ERROR(files.write_atomic(git, text, 0644));
  return place;
}

}  // namespace

std::vector<std::string> git_folders(const std::string& git) {
  std::set<std::string> folders;
  std::string owner = folder_of(git);
  if (is_repository(owner)) {
    folders.insert(owner);
    if (std::string common = path_named_in(join_path(owner, "commondir"), "");
        is_repository(common)) {
      folders.insert(common);
      owner = std::move(common);
    }
  }
  if (!owner.empty()) add_alternates(join_path(owner, "objects"), folders);
  return {folders.begin(), folders.end()};
}

std::vector<std::string> RepositoryWalk::find(const std::string& root, long long now_s) {
  // Entries of a folder that cannot be listed: git needs no list to find them.
  static const std::vector<FolderEntry> kUnlisted = {{".git"}, {"HEAD"}};
  std::vector<std::string> found;
  std::vector<std::string> left = {root};
  while (!left.empty()) {
    const std::string at = std::move(left.back());
    left.pop_back();
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    Folder now{status.st_dev, status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec, {}};
    if (const auto known = folders_.find(at); known != folders_.end() && known->second.is(now)) {
      for (const std::string& name : known->second.folders) left.push_back(join_path(at, name));
      continue;
    }
    const auto entries = RealFileSystem().list(at);
    bool is_plain = now.changed_s + kSameTime_s < now_s;
    for (const FolderEntry& entry : entries ? *entries : kUnlisted) {
      const std::string path = join_path(at, entry.name);
      const bool is_git = entry.name == ".git";
      const bool is_head = entry.name == "HEAD";
      const bool is_pipe = is_pipe_for_git(entry);
      is_plain = is_plain && !is_git && !is_head && !is_pipe;
      if (is_pipe || (is_git && at != root && is_repository(folder_of(path)))) {
        found.push_back(path);
      }
      if (is_head && at != root && is_repository(at)) found.push_back(at);
      if (entry.kind != FileKind::kFolder || is_git) continue;
      left.push_back(path);
      now.folders.push_back(entry.name);
    }
    if (is_plain) folders_.insert_or_assign(at, std::move(now));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_product(const std::string& path, const std::string& root) {
  const auto names = split(std::string_view(path).substr(std::min(root.size(), path.size())), '/');
  return std::any_of(names.begin(), names.end(), [](std::string_view name) {
    return name.starts_with("build-") || name.starts_with("cmake-build-") ||
           std::find(kProductFolders.begin(), kProductFolders.end(), name) != kProductFolders.end();
  });
}

RepositoryWatch::RepositoryWatch(std::string root, long long now_s,
                                 std::function<void(const std::string&)> report)
    : root_(std::move(root)),
      known_(walk_.find(root_, now_s)),
      known_folders_(git_folders(join_path(root_, ".git"))),
      report_(std::move(report)) {
  for (const std::string& git : known_) {
    if (is_product(git, root_)) continue;
    for (std::string& folder : git_folders(git)) known_folders_.push_back(std::move(folder));
  }
}

// Returns a sentence about the new repository or pipe at `path`; "" if it does no harm.
std::string RepositoryWatch::handle(const std::string& path) const {
  RealFileSystem files;
  const FileKind kind = files.link_info(path).kind;
  if (kind == FileKind::kOther) {
    return files.remove(path) ? path + " was a pipe, which git would wait for; it was removed"
                              : path + " is a pipe, which git waits for; remove it";
  }
  const std::string target = kind == FileKind::kFolder ? std::string() : folder_of(path);
  for (const std::string& folder : known_folders_) {
    if (is_below(target, folder)) return "";
  }
  const std::string text = path + " was created during the job; git would run programs it names";
  if (is_product(path, root_)) return text + ", so check it before you use git there";
  const Result<std::string> place = disable(path);
  if (!place) return fmt::format("{}; it cannot be disabled: {}", text, place.error().message);
  return *place == path ? text + ", so it was disabled: see its config"
                        : fmt::format("{}, so it is now {}", text, *place);
}

RepositoryWatch::~RepositoryWatch() {
  if (!report_) return;
  std::size_t count = 0;
  for (const std::string& path : walk_.find(root_, 0)) {
    if (std::binary_search(known_.begin(), known_.end(), path)) continue;
    const std::string text = handle(path);
    if (!text.empty() && ++count <= kMaxReports) report_(make_printable(text));
  }
  if (count > kMaxReports) {
    report_(
        fmt::format("{} more repositories were created and treated alike", count - kMaxReports));
  }
}

}  // namespace pedro
