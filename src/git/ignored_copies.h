#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/repository.h"
#include "sys/file_system.h"
#include "sys/tree_entries.h"

namespace pedro {

/// Copies of files that git ignores, from before a job: no checkpoint has them, and a command could
/// remove them. They are in one file of the git folder: secrets do not leave the project. Borrows
/// the repository; one thread. Errors: those of the file system.
///
///     IgnoredCopies copies(repository, job);
///     PEDRO_RETURN_IF_ERROR(copies.store());
///     PEDRO_TRY(const IgnoredCopies::Restored restored, copies.restore(ended_ns));
class IgnoredCopies {
 public:
  /// `job` must satisfy is_job_id().
  IgnoredCopies(const Repository& repository, const std::string& job);

  /// Copies the files, links and folders of Repository::ignored(). Omits paths with over 1000
  /// entries or a file over 16 MiB, and those that exceed 64 MiB in all. Replaces earlier copies.
  Status store() const;

  /// Returns the copied entries, also of an earlier process; folders end with '/'.
  Result<std::set<std::string>> paths() const;

  struct Restored {
    std::vector<std::string> paths;  ///< relative to the root; folders end with '/'
    std::string replaced;            ///< folder with replaced files; "" if none was replaced
  };
  /// Restores missing and changed entries and their modes. Leaves those that changed after
  /// `ended_ns`, in ns since 1970, and those below a link or a file. Errors: also kUsage for copies
  /// that are cut or not ours.
  Result<Restored> restore(long long ended_ns) const;

  /// Removes the copies, but not the files that restore() replaced.
  Status remove() const;
  /// Removes the files that restore() replaced.
  void remove_replaced() const;

 private:
  struct Copy;

  Status add(const std::vector<TreeEntry>& entries) const;
  Result<std::vector<Copy>> read() const;
  Result<bool> restore(const Copy& copy, long long ended_ns, Restored& restored) const;
  bool has_contents(const std::string& place, const Copy& copy) const;
  Result<bool> keep_replaced(const std::string& place, const std::string& path,
                             Restored& restored) const;

  const Repository& repository_;
  FileSystem& files_;
  std::string path_;
  std::string replaced_;
};

}  // namespace pedro
