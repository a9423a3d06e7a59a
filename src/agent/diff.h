#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pedro {

/// A line of a hunk.
struct DiffLine {
  enum class Kind { kContext, kAdded, kRemoved };
  Kind kind = Kind::kContext;
  int number = 0;  ///< from 1: of the new file, of the old one where it was removed
  std::string text;
};

/// Lines that stand together.
struct DiffHunk {
  std::string heading;  ///< what git says it is in, such as a function's first line
  std::vector<DiffLine> lines;
};

struct DiffFile {
  std::string path;      ///< its new one, or the old one of a file that was deleted
  std::string old_path;  ///< where it is another
  bool deleted = false;
  bool binary = false;
  bool unmerged = false;  ///< a conflict of a merge that is not resolved: git shows no difference
  std::vector<DiffHunk> hunks;

  int added() const;
  int removed() const;
};

/// Reads what `git diff` or `gh pr diff` prints: unified hunks, renames, modes, binary files, "*
/// Unmerged path". Error (kUsage), with the line's number: a hunk that is not as long as it says,
/// more than 100,000 files, more than 10^9 lines, a line of more than 65,536 bytes outside of
/// hunks, one that belongs to nothing.
Result<std::vector<DiffFile>> parse_diff(std::string_view text);

/// A piece of a diff that is looked at in one go.
struct DiffPart {
  std::string title;  ///< "src/a.cc, src/b.cc" or "src/a.cc (2 of 3)"
  std::string text;   ///< each line with its number in front, for a model
  struct Lines {
    std::string file;
    bool deleted = false;  ///< the numbers are of the old file
    std::vector<int> numbers;
  };
  std::vector<Lines> lines;  ///< that something can be said about
};

/// A diff cut into parts, and what no part holds.
struct DiffParts {
  std::vector<DiffPart> parts;
  std::vector<std::string> left_out;  ///< "logo.png: a binary file"
};

/// Cuts a diff by files and hunks, a hunk only where it alone is longer than `max_bytes` (1 KiB at
/// least): what is small goes together, and no line is lost. A line of more than a quarter of
/// `max_bytes` is cut and named in `left_out`.
DiffParts cut_diff(const std::vector<DiffFile>& files, std::size_t max_bytes);

}  // namespace pedro
