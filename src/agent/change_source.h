#pragma once

#include <string>
#include <vector>

#include "agent/diff.h"
#include "base/cancel.h"
#include "base/result.h"
#include "sys/file_system.h"
#include "sys/process.h"

namespace pedro {

/// Which change is meant; at most one of them. None: what is not committed.
struct ChangeChoice {
  std::string branch;    ///< what it has that the main branch has not
  std::string range;     ///< "A..B" or "A...B", as git diff takes it
  int pull_request = 0;  ///< at GitHub, by gh
  bool staged = false;   ///< what is in the index
};

/// A change to be judged.
struct Change {
  std::string title;
  std::string text;  ///< what its author says of it, or the subjects of its commits
  std::vector<DiffFile> files;
  std::vector<std::string> left_out;  ///< "a.txt: not in git yet"
  std::string commit;                 ///< the head of a pull request, which the lines are of; or ""
};

/// Reads a change of the repository at `root`; nothing is written there. Errors: kUsage, where
/// there is no such change or nothing in it; kLimit, where it is longer than 64 MiB; kInterrupted.
Result<Change> read_change(const ChangeChoice& choice, const std::string& root, FileSystem& files,
                           ProcessRunner& processes, const CancelToken& cancel);

}  // namespace pedro
