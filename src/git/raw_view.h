#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/changed_file.h"
#include "git/git_runner.h"
#include "sys/scratch_folder.h"

namespace pedro {

/// A view of a repository in which git converts no bytes: a private git folder whose
/// `info/attributes` overrides all others. It shares the objects and the configuration. Commands
/// cannot write to it. Borrows nothing between calls; one thread. Errors: those of GitRunner.
///
///     RawView raw;
///     PEDRO_TRY(const auto files, raw.changes(git, commit));  // also if only line ends differ
class RawView {
 public:
  /// Returns the files of `commit`, a full id, whose bytes or kinds differ in the work tree. Those
  /// that a sparse checkout excludes are deleted. Caches the states of unchanged files.
  Result<std::vector<ChangedFile>> changes(const GitRunner& git, const std::string& commit);

  /// Updates the work tree from the files of `from` to those of `to`. Keeps other files; removes
  /// folders that become empty. The work tree must match `from` where they differ, else nothing
  /// changes.
  Status move_files(const GitRunner& git, const std::string& from, const std::string& to);

  /// Writes files as in `commit`, whatever is there. Removes those that it lacks.
  Status write_files(const GitRunner& git, const std::string& commit,
                     const std::vector<std::string>& paths);

  /// Adds files of the work tree to the index at the path `index`.
  Status add(const GitRunner& git, const std::string& nul_separated_paths,
             const std::string& index);

 private:
  Status make(const GitRunner& git);
  Result<std::string> run(const GitRunner& git, std::vector<std::string> arguments,
                          std::string input = "", std::string index = "");
  Status read(const GitRunner& git, const std::string& commit);

  std::optional<ScratchFolder> folder_;
  std::string commit_;  // in the index; "" if it is not reliable
};

}  // namespace pedro
