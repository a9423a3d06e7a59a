#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "review/diff.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Selects a change. At most one member is set; uncommitted changes if none is.
struct ChangeChoice {
  std::string branch;    ///< commits since its merge base with the main branch
  std::string range;     ///< "A..B" or "A...B", as in git diff
  int pull_request = 0;  ///< number on GitHub, read with gh
  bool staged = false;   ///< the contents of the index
};

/// A change for review.
struct Change {
  std::string title;
  std::string text;  ///< the author's description, or the subjects of the commits
  std::vector<DiffFile> files;
  std::vector<std::string> left_out;  ///< untracked files, for example "a.txt: not in git yet"
  std::string commit;  ///< head of a pull request, to which line numbers refer; or ""
};

/// Reads a change of the repository at `root`; writes nothing. Errors: kUsage if the change does
/// not exist or is empty; kLimit above 64 MiB; kInterrupted.
Result<Change> read_change(const ChangeChoice& choice, const std::string& root, FileSystem& files,
                           ProcessRunner& processes, const CancelToken& cancel);

}  // namespace pedro
