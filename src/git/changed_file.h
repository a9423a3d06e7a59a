#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"

namespace pedro {

enum class ChangeKind { kAdded, kModified, kDeleted };

/// The reason to keep a changed file out of commits: the user keeps it from git.
enum class PrivateBy {
  kNone,
  kIgnored,  ///< a new file that git ignored before the job
  kHidden,   ///< changed before the job, and marked in the index: skip-worktree, assume-unchanged
  kFilter,  ///< a filter of the repository's configuration converts it, which pedrocli does not run
  kUser,    ///< the user changed it during the job, and the job did not, see UserEdits
  kSecret,  ///< it has a secret of the user's files that the base lacks, or copies an ignored file
};

/// A file that differs from a commit.
struct ChangedFile {
  std::string path;  ///< relative to the root of the repository; any bytes except NUL
  ChangeKind kind = ChangeKind::kModified;
  std::uint64_t content = 0;  ///< hash of its bytes and mode; 0 if deleted or generated
  /// New, and by name or location an output of a build or a test run, a nested repository, or
  /// kIgnored. Not part of the work.
  bool generated = false;
  bool untracked = false;  ///< not in the compared commit
  PrivateBy private_by = PrivateBy::kNone;

  /// Returns true for a nested repository.
  bool is_folder() const { return path.ends_with('/'); }

  bool operator==(const ChangedFile&) const = default;
};

/// Returns true if the file is generated or private.
bool is_omitted(const ChangedFile& file);

/// Returns true if both are the same path in the same state, regardless of the kind of change.
bool same_state(const ChangedFile& a, const ChangedFile& b);

/// Parses the output of `git diff --name-status --no-renames`. Errors: kUsage for an invalid line.
Result<std::vector<ChangedFile>> parse_name_status(std::string_view text);

/// Parses `git status --porcelain=v1` for an index that equals the commit: a line's second letter
/// is the file's state. Adds ignored files and folders to `ignored`. Errors: kUsage for an invalid
/// line.
Result<std::vector<ChangedFile>> parse_status(std::string_view text,
                                              std::vector<std::string>& ignored);

/// Sets `generated` on new files in folders with a CMakeCache.txt or a CACHEDIR.TAG
/// (https://bford.info/cachedir/). Also on those in tool folders like __pycache__, and on object
/// files.
void mark_generated(std::vector<ChangedFile>& files);

struct FileContent {
  /// The hash of a file's bytes and mode (size and time above 64 MiB), or of a link's target. 0 if
  /// the file is missing.
  std::uint64_t hash = 0;
  /// A program, object file or library, detected by its first bytes.
  bool built = false;
};
/// The similarity of two files or links.
enum class Likeness { kSame, kOtherLineEnds, kOther };

/// Compares two files or links. Above 64 MiB only sizes are compared.
Likeness likeness(const FileSystem& files, const std::string& a, const std::string& b);

/// Returns true for `.pedrocli.json`, `.mcp.json` and paths in `.pedro/`. They define a job's
/// permissions, so no job may change them.
bool is_project_setting(std::string_view path);

FileContent content_of(const FileSystem& files, const std::string& path);

}  // namespace pedro
