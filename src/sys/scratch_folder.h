#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/folder_lock.h"

namespace pedro {

/// A new folder for this user only, gone with this value, whatever was put into it. As long as the
/// process lives there is a lock on it, see left_scratch_folders().
class ScratchFolder {
 public:
  /// Below `parent`, or where that is no folder to write into, below /tmp.
  static Result<ScratchFolder> make(const std::string& parent);
  /// The same, but below /tmp if `parent` is inside the work tree at `tree` (canonical), where it
  /// would be an untracked folder.
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

/// Folders of this user that ScratchFolder, given the same `parent`, made more than an hour ago,
/// and whose process died before it could remove them. None where the file system has no locks:
/// nobody knows who lives.
std::vector<std::string> left_scratch_folders(const std::string& parent);

/// What the names of folders begin with that remove_tree() moves beside the one it removes.
inline constexpr const char* kMovedPrefix = ".pedrocli-removed-";

/// Removes `path` and all below it; links are removed, not followed, and folders without rights are
/// given some. Depth costs neither stack nor descriptors. What cannot be removed stays.
void remove_tree(const std::string& path);
/// The same of what is called `name` in an open folder.
void remove_tree(int folder, const std::string& name);

}  // namespace pedro
