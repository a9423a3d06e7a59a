#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/folder_lock.h"

namespace pedro {

/// A copy of files and folders that a command must not change, for a sandbox that cannot hold them:
/// what the command did to them is undone afterwards. git's packs are hard links, all else is
/// copied. A new commit survives: references to one, their logs and new objects stay.
///
///     KeptCopy copy(state + "/guards");
///     if (Status kept = copy.remember({tree + "/.git"}); !kept) return kept.error();
///     run(command);
///     for (const std::string& sentence : copy.put_back()) tell(sentence);
///
/// The copy outlives a killed process: put_back_left_copies() uses it. One thread.
class KeptCopy {
 public:
  /// In a new folder below `parent`, which no command may write to; it is created if it is missing.
  explicit KeptCopy(std::string parent) : parent_(std::move(parent)) {}
  KeptCopy(KeptCopy&& other) noexcept { swap(other); }
  KeptCopy& operator=(KeptCopy&& other) noexcept {
    swap(other);
    return *this;
  }
  ~KeptCopy();

  /// Copies what has changed in `paths` (absolute, possibly missing) since the last call. Leaves
  /// out those that are reached through a link. Errors: the file system's.
  Status remember(const std::vector<std::string>& paths);
  /// Undoes the changes since remember(); returns a sentence for each path that had some.
  std::vector<std::string> put_back();

 private:
  using Marks = std::map<std::string, std::string>;  // of each entry, by path

  void swap(KeptCopy& other) noexcept;
  Status open();
  bool copy_changes(const std::string& path);
  void disarm();
  std::string copy_of(const std::string& path) const;

  std::string parent_;
  std::string folder_;
  std::optional<FolderLock> lock_;
  std::vector<std::string> paths_;
  std::map<std::string, Marks> marks_;
};

/// Puts back what the commands of killed processes have changed, by the copies below `parent`, and
/// removes these. git's index and HEAD stay as they are if they are there: the user may have gone
/// on. Returns a sentence for each path.
std::vector<std::string> put_back_left_copies(const std::string& parent);

}  // namespace pedro
