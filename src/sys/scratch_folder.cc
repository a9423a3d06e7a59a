#include "sys/scratch_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <memory>
#include <optional>

#include "sys/descriptor.h"
#include "sys/file_system.h"

namespace pedro {
namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

/// Opens the folder `name` of `parent`, and makes it accessible if needed.
Folder open_folder(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = ::openat(parent, name, kFlags);
  struct stat status {};
  const bool is_folder =
      ::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
  if (is_folder && (fd < 0 || (status.st_mode & 0700) != 0700)) {
    (void)::fchmodat(parent, name, 0700, 0);
    if (fd < 0) fd = ::openat(parent, name, kFlags);
  }
  return Folder(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
}

/// Empties folders breadth-first. Subfolders are moved to the top under a number, as a queue.
class Removal {
 public:
  explicit Removal(int top) : top_(top) {}

  void empty(const std::string& name) {
    next_ = 0;
    clear(name);
    for (unsigned long done = 0; done < next_; ++done) {
      const std::string waiting = waiting_name(done);
      clear(waiting);
      (void)::unlinkat(top_, waiting.c_str(), AT_REMOVEDIR);
    }
    (void)::unlinkat(top_, name.c_str(), AT_REMOVEDIR);
  }

 private:
  static std::string waiting_name(unsigned long number) {
    return fmt::format("{}{}-{}", kMovedPrefix, ::getpid(), number);
  }

  void clear(const std::string& name) {
    const Folder folder = open_folder(top_, name.c_str());
    if (!folder) return;
    const int fd = ::dirfd(folder.get());
    while (const dirent* entry = ::readdir(folder.get())) {
      const std::string_view inside = entry->d_name;
      if (inside == "." || inside == "..") continue;
      if (::unlinkat(fd, entry->d_name, 0) == 0 ||
          ::unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0) {
        continue;
      }
      (void)::fchmodat(fd, entry->d_name, 0700, 0);  // moving a folder changes its ".."
      move_up(fd, entry->d_name);
    }
  }

  void move_up(int folder, const char* name) {
    for (;; ++next_) {
      if (::renameat(folder, name, top_, waiting_name(next_).c_str()) == 0) break;
      // A folder left by another process with this id is also emptied in its turn.
      if (errno != ENOTEMPTY && errno != EEXIST) return;
    }
    ++next_;
  }

  int top_;
  unsigned long next_ = 0;
};

constexpr std::string_view kPrefix = "pedrocli-";
constexpr std::string_view kRandom = "XXXXXX";
constexpr time_t kYoung_s = 3600;
constexpr const char* kElsewhere = "/tmp";

std::optional<std::string> made_in(const std::string& parent) {
  std::string path = join_path(parent, std::string(kPrefix) + std::string(kRandom));
  if (parent.empty() || ::mkdtemp(path.data()) == nullptr) return std::nullopt;
  const Result<std::string> real = RealFileSystem().canonical(path);
  return real ? *real : path;
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const std::string& parent) {
  for (const std::string& folder : {parent, std::string(kElsewhere)}) {
    if (const auto path = made_in(folder)) return ScratchFolder(*path);
  }
  return Error{ErrorKind::kUsage,
               fmt::format("no folder for temporary files: {}: {}; set TMPDIR to one", kElsewhere,
                           errno_text(errno))};
}

ScratchFolder::ScratchFolder(std::string path) : path_(std::move(path)) {
  if (Result<FolderLock> lock = FolderLock::take(path_)) lock_ = *std::move(lock);
}

std::vector<std::string> left_scratch_folders(const std::string& wanted) {
  std::vector<std::string> left;
  const bool usable = !wanted.empty() && ::access(wanted.c_str(), W_OK | X_OK) == 0;
  const std::string parent = usable ? wanted : kElsewhere;
  const auto entries = RealFileSystem().list(parent);
  if (!entries) return left;
  for (const FolderEntry& entry : *entries) {
    const bool named =
        entry.name.starts_with(kPrefix) && entry.name.size() == kPrefix.size() + kRandom.size();
    if (!named || entry.kind != FileKind::kFolder) continue;
    const std::string path = join_path(parent, entry.name);
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    if (::time(nullptr) - status.st_mtime < kYoung_s) continue;
    const auto lock = FolderLock::take(path);
    if (lock && lock->held()) left.push_back(path);
  }
  return left;
}

Result<ScratchFolder> ScratchFolder::make_outside(const std::string& tree,
                                                  const std::string& parent) {
  const auto real = RealFileSystem().canonical(parent);
  return make(real && !is_below(*real, tree) ? *real : "");
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) remove_tree(path_);
}

void remove_tree(int folder, const std::string& name) {
  if (::unlinkat(folder, name.c_str(), 0) == 0) return;
  Removal(folder).empty(name);
}

void remove_tree(const std::string& path) {
  const Descriptor folder(
      ::open(std::string(folder_name(path)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.open()) remove_tree(folder.get(), std::string(base_name(path)));
}

}  // namespace pedro
