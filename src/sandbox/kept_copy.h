#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/folder_lock.h"

namespace pedro {

/// A copy of files and folders that a command must not change. Undoes the changes of a command
/// where the sandbox cannot prevent them. Links git's packs of more than 256 MiB and copies
/// everything else. Keeps new commits: new objects, references to them and their logs.
///
///     KeptCopy copy(state + "/guards");
///     if (Status kept = copy.remember({tree + "/.git"}); !kept) return kept.error();
///     run(command);  // may change .git.
///     for (const std::string& sentence : copy.put_back()) tell(sentence);
///
/// The copy outlives a killed process: put_back_left_copies() uses it. One thread.
class KeptCopy {
 public:
  /// Creates the copy in a new folder below `parent`, which commands must not be able to write to.
  /// Creates `parent` if it is missing.
  explicit KeptCopy(std::string parent) : parent_(std::move(parent)) {}
  KeptCopy(KeptCopy&& other) noexcept { swap(other); }
  KeptCopy& operator=(KeptCopy&& other) noexcept {
    swap(other);
    return *this;
  }
  ~KeptCopy();

  /// Copies what has changed in `paths` (absolute, possibly missing) since the last call. Skips
  /// paths that are reached through a link. Errors: the file system's.
  Status remember(const std::vector<std::string>& paths);
  /// Undoes the changes since remember(). Returns a sentence for each changed path.
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

/// Undoes changes that commands of killed processes made, from the copies below `parent`, and
/// removes the copies. Keeps an existing index and HEAD: the user may have continued work. Returns
/// a sentence for each path.
std::vector<std::string> put_back_left_copies(const std::string& parent);

}  // namespace pedro
