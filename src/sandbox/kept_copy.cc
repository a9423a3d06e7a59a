#include "sandbox/kept_copy.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/text.h"
#include "sandbox/sandbox_view.h"
#include "sys/file_system.h"
#include "sys/scratch_folder.h"

namespace pedro {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPathsFile = "paths";  // a list, each path followed by NUL
constexpr std::uint64_t kMaxPathsBytes = 1u << 20;
constexpr std::size_t kMaxReferenceBytes = 70;
constexpr std::uintmax_t kMaxCopiedPackBytes = 256u << 20;
constexpr std::uint64_t kMaxLogBytes = 256u << 20;

// Returns a fingerprint of a file's state from fields that no program can set; "" if it is missing.
std::string mark_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return "";
  const bool folder = S_ISDIR(status.st_mode);
  return fmt::format("{}:{}:{}:{}:{}.{}", status.st_dev, status.st_ino, status.st_mode,
                     folder ? 0 : status.st_size, folder ? 0 : status.st_ctim.tv_sec,
                     folder ? 0 : status.st_ctim.tv_nsec);
}

// Calls `visit` with `path` and everything below it, outer folders first. Links are not followed.
template <typename Visit>
void walk(const std::string& path, const Visit& visit) {
  std::error_code error;
  visit(path);
  if (!fs::is_directory(fs::symlink_status(path, error))) return;
  fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    visit(entry->path().string());
  }
}

// Returns true for git's large packs. Git never changes them, so a link saves the space of a copy.
bool is_large_pack(const std::string& path) {
  std::error_code error;
  return path.find("/objects/pack/") != path.npos &&
         fs::file_size(path, error) > kMaxCopiedPackBytes && !error;
}

bool same_bytes(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const auto size = fs::file_size(a, error);
  if (error || size != fs::file_size(b, error) || error) return false;
  const RealFileSystem files;
  const auto left = files.read(a, size);
  const auto right = files.read(b, size);
  return left && right && *left == *right;
}

bool same_entry(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::file_status one = fs::symlink_status(a, error);
  const fs::file_status other = fs::symlink_status(b, error);
  if (one.type() != other.type()) return false;
  if (fs::is_symlink(one)) return fs::read_symlink(a, error) == fs::read_symlink(b, error);
  if (one.permissions() != other.permissions()) return false;
  return !fs::is_regular_file(one) || same_bytes(a, b);
}

// Copies `from` to `to`; a folder without its contents. Returns false on failure.
bool copy_entry(const std::string& from, const std::string& to) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(from, error);
  const bool folder = fs::is_directory(status);
  if (!folder || !fs::is_directory(fs::symlink_status(to, error))) remove_tree(to);
  if (fs::is_symlink(status)) {
    fs::copy_symlink(from, to, error);
    return !error;
  }
  if (folder) {
    fs::create_directory(to, error);
    return ::chmod(to.c_str(), static_cast<mode_t>(status.permissions()) | S_IRWXU) == 0;
  }
  if (!fs::is_regular_file(status)) return true;  // pipes and sockets hold no data
  if (is_large_pack(from)) {
    fs::create_hard_link(from, to, error);
    if (!error) return true;
    error.clear();
  }
  fs::copy_file(from, to, error);
  return !error;
}

// Returns the object that a reference names; "" for a symbolic one.
std::string object_in(const std::string& file) {
  const auto text = RealFileSystem().read(file, kMaxReferenceBytes);
  const std::string object(text ? trim(*text) : "");
  return object.find_first_not_of("0123456789abcdef") == object.npos ? object : "";
}

// Returns true if the log at `path` only grew since its copy.
bool is_continued(const std::string& path, const std::string& copy) {
  const RealFileSystem files;
  const auto before = files.read(copy, kMaxLogBytes);
  const auto now = before ? files.read_begin(path, before->size()) : before;
  std::error_code error;
  return !fs::exists(copy, error) || (now && *now == *before);
}

// Decides if a difference in a repository is kept: the user's commits must survive. `later` is true
// for the copy of a killed process.
class Keeps {
 public:
  Keeps(std::string root, std::string copy, bool later)
      : root_(std::move(root)), copy_(std::move(copy)), later_(later) {}

  bool operator()(const std::string& path) const {
    if (fs::path(root_).filename() != ".git" || path.size() <= root_.size()) return false;
    const std::string_view name = std::string_view(path).substr(root_.size() + 1);
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) {
      return name.starts_with("objects/") || name.starts_with("refs/") || name.starts_with("logs/");
    }
    if (!fs::is_regular_file(status)) return false;
    if (name.starts_with("objects/")) return !name.starts_with("objects/info/");
    const std::string original = copy_ + path.substr(root_.size());
    if (name.starts_with("refs/")) {
      return !name.starts_with("refs/replace/") && has_new_object(path, original);
    }
    if (name.starts_with("logs/")) return is_continued(path, original);
    return later_ &&
           (name == "index" || name == "packed-refs" || name.ends_with("_HEAD") || name == "HEAD");
  }

 private:
  // A command could let a reference name an older object, and so lose a stash or a branch. The user
  // of a killed job may have moved branches since.
  bool has_new_object(const std::string& reference, const std::string& original) const {
    const std::string object = object_in(reference);
    if (object.size() < 3) return false;
    const std::string file = "/objects/" + object.substr(0, 2) + "/" + object.substr(2);
    std::error_code error;
    return later_ || !fs::exists(original, error) ||
           (fs::exists(root_ + file, error) && !fs::exists(copy_ + file, error));
  }

  std::string root_;
  std::string copy_;
  bool later_;
};

struct Restored {
  bool changed = false;
  bool whole = true;
};

// Removes non-folders on the way to `path`, where only folders were before. Creates missing folders
// if `create`. Returns true if it changed something.
bool clear_way(const std::string& path, bool create) {
  std::error_code error;
  bool changed = false;
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1)) {
    const std::string folder = path.substr(0, at);
    const fs::file_type type = fs::symlink_status(folder, error).type();
    if (type == fs::file_type::directory) continue;
    if (type != fs::file_type::not_found) {
      remove_tree(folder);
      changed = true;
    }
    if (!create) break;
    fs::create_directory(folder, error);
    changed = true;
  }
  return changed;
}

// Restores `path` from its `copy`. Outer folders come first, so the path contains no link.
Restored restore(const std::string& copy, const std::string& path, bool later) {
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(copy, error));
  if (!is_there && error && error != std::errc::no_such_file_or_directory) return {false, false};
  Restored result;
  result.changed = clear_way(path, is_there);
  const Keeps keeps(path, copy, later);
  std::set<std::string> surplus;
  walk(path, [&](const std::string& entry) {
    const std::string original = copy + entry.substr(path.size());
    const auto type = fs::symlink_status(original, error).type();
    const bool replaced = type != fs::symlink_status(entry, error).type();
    if (replaced && (type != fs::file_type::not_found || !keeps(entry))) surplus.insert(entry);
  });
  for (const std::string& entry : surplus) {
    remove_tree(entry);
    result.changed = true;
    result.whole = result.whole && !fs::exists(fs::symlink_status(entry, error));
  }
  walk(copy, [&](const std::string& original) {
    const std::string entry = path + original.substr(copy.size());
    if (!fs::exists(fs::symlink_status(original, error))) return;
    if (same_entry(original, entry)) return;
    const bool is_kept = original != copy && !entry.starts_with(path + "/objects/") &&
                         fs::is_regular_file(fs::symlink_status(entry, error)) && keeps(entry);
    if (is_kept) return;
    result.changed = true;
    result.whole = copy_entry(original, entry) && result.whole;
  });
  return result;
}

// Returns true if the folders of `path` contain no link.
bool is_plain(const std::string& path) {
  const auto folder = RealFileSystem().canonical(std::string(folder_name(path)));
  return !folder || *folder == folder_name(path);
}

std::string sentence(const std::string& path, const Restored& restored, bool missing_before) {
  const char* done = !restored.whole  ? "could not be fully restored"
                     : missing_before ? "was removed again"
                                      : "was restored";
  return fmt::format("{} must not be changed by commands; it {}", path, done);
}

}  // namespace

KeptCopy::~KeptCopy() {
  if (!folder_.empty()) remove_tree(folder_);
}

void KeptCopy::swap(KeptCopy& other) noexcept {
  std::swap(parent_, other.parent_);
  std::swap(folder_, other.folder_);
  std::swap(lock_, other.lock_);
  std::swap(paths_, other.paths_);
  std::swap(marks_, other.marks_);
}

// Locks the folder before it gets a copy's name: an unlocked copy belongs to a killed process.
Status KeptCopy::open() {
  if (!folder_.empty()) return {};
  static std::atomic<int> count = 0;
  RealFileSystem files;
  const std::string name = fmt::format("{}-{}", ::getpid(), ++count);
  const std::string made = join_path(parent_, "new-" + name);
  std::string folder = join_path(parent_, "copy-" + name);
  if (Status done = files.make_folders(made, 0700); !done) return done;
  PEDRO_TRY(FolderLock lock, FolderLock::take(made));
  if (Status done = files.rename(made, folder); !done) return done;
  lock_ = std::move(lock);
  folder_ = std::move(folder);
  return {};
}

std::string KeptCopy::copy_of(const std::string& path) const {
  const auto at = std::find(paths_.begin(), paths_.end(), path) - paths_.begin();
  return join_path(folder_, std::to_string(at));
}

Status KeptCopy::remember(const std::vector<std::string>& given) {
  if (Status opened = open(); !opened) return opened;
  disarm();
  std::vector<std::string> paths = given;
  std::erase_if(paths, [](const std::string& path) { return !is_plain(path); });
  if (paths != paths_) {
    for (const std::string& path : paths_) remove_tree(copy_of(path));
    marks_.clear();
    paths_ = paths;
  }
  for (const std::string& path : paths_) {
    if (!copy_changes(path)) {
      return Error{ErrorKind::kInternal, fmt::format("{}: cannot be copied", path)};
    }
  }
  std::string list;
  for (const std::string& path : paths_) list.append(path).push_back('\0');
  return RealFileSystem().write_atomic(join_path(folder_, kPathsFile), list, 0600);
}

// Brings the copy of `path` up to date. Returns false if an entry cannot be copied.
bool KeptCopy::copy_changes(const std::string& path) {
  Marks& marks = marks_[path];
  Marks now;
  const std::string copy = copy_of(path);
  const auto copy_at = [&](const std::string& entry) { return copy + entry.substr(path.size()); };
  bool whole = true;
  walk(path, [&](const std::string& entry) {
    std::string mark = mark_of(entry);
    if (mark.empty()) return;
    const auto known = marks.find(entry);
    if (known == marks.end() || known->second != mark) {
      if (!copy_entry(entry, copy_at(entry))) {
        whole = false;
        return;
      }
      mark = mark_of(entry);  // creating a hard link changes it
    }
    now.emplace(entry, std::move(mark));
  });
  for (const auto& [entry, mark] : marks) {
    if (now.count(entry) == 0) remove_tree(copy_at(entry));
  }
  marks = std::move(now);
  return whole;
}

// Removes the list of paths: the copy must not be put back while it changes, or between commands.
void KeptCopy::disarm() {
  if (!folder_.empty()) ::unlink(join_path(folder_, kPathsFile).c_str());
}

std::vector<std::string> KeptCopy::put_back() {
  std::vector<std::string> sentences;
  for (const std::string& path : paths_) {
    Marks now;
    walk(path, [&](const std::string& entry) {
      if (std::string mark = mark_of(entry); !mark.empty()) now.emplace(entry, std::move(mark));
    });
    Marks& before = marks_[path];
    if (now == before) continue;
    const Restored restored = restore(copy_of(path), path, false);
    if (restored.changed) sentences.push_back(sentence(path, restored, before.empty()));
  }
  disarm();
  return sentences;
}

std::vector<std::string> put_back_left_copies(const std::string& parent) {
  const RealFileSystem files;
  std::vector<std::string> sentences;
  const auto entries = files.list(parent);
  if (!entries) return sentences;
  for (const FolderEntry& entry : *entries) {
    const std::string folder = join_path(parent, entry.name);
    if (!entry.name.starts_with("copy-") || entry.kind != FileKind::kFolder) continue;
    const auto lock = FolderLock::take(folder);
    if (!lock || !lock->held()) continue;  // its process is alive
    const auto text = files.read(join_path(folder, kPathsFile), kMaxPathsBytes);
    const auto paths = split(text ? std::string_view(*text) : std::string_view(), '\0');
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::string path(paths[i]);
      const std::string copy = join_path(folder, std::to_string(i));
      if (!path.starts_with('/')) continue;
      const bool missing = files.link_info(copy).kind == FileKind::kMissing;
      const Restored restored = restore(copy, path, true);
      if (restored.changed) sentences.push_back(sentence(path, restored, missing));
    }
    remove_tree(folder);
  }
  return sentences;
}

}  // namespace pedro
