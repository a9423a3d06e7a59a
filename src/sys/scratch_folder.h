#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/folder_lock.h"

namespace pedro {

/// A new temporary folder of mode 0700, removed with its contents on destruction. Holds a lock on
/// it during its lifetime, see left_scratch_folders().
class ScratchFolder {
 public:
  /// Creates the folder below `parent`, or below /tmp if `parent` is not a writable folder. Errors
  /// (kUsage): neither is writable.
  static Result<ScratchFolder> make(const std::string& parent);
  /// Creates it below /tmp if `parent` is inside the work tree at `tree` (canonical), where it
  /// would be untracked.
  static Result<ScratchFolder> make_outside(const std::string& tree, const std::string& parent);

  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, "")), lock_(std::move(other.lock_)) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  ~ScratchFolder();

  const std::string& path() const { return path_; }
  /// Keeps the folder. `pedrocli gc` removes it later.
  void keep() { path_.clear(); }

 private:
  explicit ScratchFolder(std::string path);

  std::string path_;
  std::optional<FolderLock> lock_;
};

/// Returns this user's scratch folders for the same `parent`. They are older than an hour, and
/// their process died without removing them. Returns none if the file system has no locks.
std::vector<std::string> left_scratch_folders(const std::string& parent);

/// The name prefix of folders that remove_tree() moves next to the one it removes.
inline constexpr const char* kMovedPrefix = ".pedrocli-removed-";

/// Removes `path` and everything below it. Removes links without following them, and makes
/// inaccessible folders accessible. Uses constant stack and descriptors at any depth. Ignores
/// errors.
void remove_tree(const std::string& path);
/// The same for the entry `name` of an open folder.
void remove_tree(int folder, const std::string& name);

}  // namespace pedro
