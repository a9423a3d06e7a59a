#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

enum class ChangeKind { kAdded, kModified, kDeleted };

/// A file that differs from a commit.
struct ChangedFile {
  std::string path;  ///< below the root of the repository; any bytes but NUL
  ChangeKind kind = ChangeKind::kModified;
  std::uint64_t content = 0;  ///< hash of its bytes and mode; 0 where deleted or generated
  /// New, and by its name or place what a build or a test run left behind, or a repository of its
  /// own: not part of anyone's work.
  bool generated = false;
  bool untracked = false;  ///< not in git's index

  bool operator==(const ChangedFile&) const = default;
};

/// True where both are the same path in the same state, however each came to be a change.
bool same_state(const ChangedFile& a, const ChangedFile& b);

/// The lines of `git diff --name-status --no-renames`.
Result<std::vector<ChangedFile>> parse_name_status(std::string_view text);

/// Adds the lines of `git ls-files --others`. One that is also deleted (git rm --cached) is
/// modified.
Status add_untracked(std::string_view text, std::vector<ChangedFile>& files);

/// Sets `generated` on new files: those in folders with a CMakeCache.txt or a CACHEDIR.TAG
/// (https://bford.info/cachedir/), in __pycache__ and its like, object files.
void mark_generated(std::vector<ChangedFile>& files);

struct FileContent {
  /// Of bytes and mode of a file (size and time where it is longer than 64 MiB), or of the target
  /// of a link. 0 where nothing is there.
  std::uint64_t hash = 0;
  /// A program, object or library by its first bytes: what a compiler leaves.
  bool built = false;
};
/// How far two files, or links, hold the same.
enum class Likeness { kSame, kOtherLineEnds, kOther };

/// Of files with more than 64 MiB only the size is looked at.
Likeness likeness(const FileSystem& files, const std::string& a, const std::string& b);

/// `.pedrocli.json` and what is in `.pedro/`: they say what a job may do, so none may change them.
bool is_project_setting(std::string_view path);

FileContent content_of(const FileSystem& files, const std::string& path);

}  // namespace pedro
