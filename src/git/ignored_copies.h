#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "sys/file_system.h"
#include "sys/tree_entries.h"

namespace pedro {

/// Copies of files that git ignores, from before a job: no checkpoint has them, and a command could
/// remove them. They are in one file of the job's folder, which only the user can read. Borrows the
/// file system; one thread. Errors: those of the file system.
///
///     IgnoredCopies copies(files, job_folder);
///     PEDRO_RETURN_IF_ERROR(copies.store(root, repository.ignored()));
///     PEDRO_TRY(const IgnoredCopies::Restored restored, copies.restore(root, ended_ns));
class IgnoredCopies {
 public:
  IgnoredCopies(FileSystem& files, const std::string& folder)
      : files_(files),
        path_(join_path(folder, "ignored-files")),
        replaced_(join_path(folder, "replaced-files")) {}

  /// Copies the files, links and folders at `paths`, relative to `root`; folders end with '/'.
  /// Omits a path with more than 1000 entries or a file of more than 16 MiB, and those that exceed
  /// 64 MiB in all. Replaces earlier copies.
  Status store(const std::string& root, const std::vector<std::string>& paths);

  /// Returns the copied entries, also of an earlier process; folders end with '/'.
  Result<std::set<std::string>> paths() const;

  struct Restored {
    std::vector<std::string> paths;  ///< relative to the root; folders end with '/'
    std::string replaced;            ///< folder with replaced files; "" if none was replaced
  };
  /// Restores missing and changed entries. Keeps those that changed after `ended_ns`, in ns since
  /// 1970, and those whose place or folder has another kind of entry. Errors: also kUsage for
  /// copies that are cut or not ours.
  Result<Restored> restore(const std::string& root, long long ended_ns) const;

  /// Removes the copies.
  Status remove();

 private:
  struct Copy;

  Status add(const std::string& root, const std::vector<TreeEntry>& entries) const;
  Result<std::vector<Copy>> read() const;
  Result<bool> restore(const std::string& root, const Copy& copy, long long ended_ns,
                       Restored& restored) const;
  Result<bool> keep_replaced(const std::string& place, const Copy& copy, Restored& restored) const;

  FileSystem& files_;
  std::string path_;
  std::string replaced_;
};

}  // namespace pedro
