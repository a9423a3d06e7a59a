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
  int number = 0;  ///< from 1; in the new file, or in the old file if removed
  std::string text;
};

/// A group of adjacent lines.
struct DiffHunk {
  std::string heading;  ///< enclosing context reported by git, for example a function
  std::vector<DiffLine> lines;
};

struct DiffFile {
  std::string path;      ///< new path; the old path of a deleted file
  std::string old_path;  ///< "" if unchanged
  bool deleted = false;
  bool binary = false;
  bool unmerged = false;  ///< an unresolved merge conflict, for which git shows no diff
  std::vector<DiffHunk> hunks;

  int added() const;
  int removed() const;
};

/// Parses the output of `git diff` or `gh pr diff`: unified hunks, renames, modes, binary files, "*
/// Unmerged path". Errors: kUsage with the line number for
/// - a hunk of the wrong length
/// - more than 100,000 files
/// - line numbers above 10^9
/// - a line above 65,536 bytes outside hunks
/// - a line outside any file
Result<std::vector<DiffFile>> parse_diff(std::string_view text);

/// A piece of a diff for one review request.
struct DiffPart {
  std::string title;  ///< "src/a.cc, src/b.cc" or "src/a.cc (2 of 3)"
  std::string text;   ///< for a model, each line with its number
  struct Lines {
    std::string file;
    bool deleted = false;  ///< the numbers are of the old file
    std::vector<int> numbers;
  };
  std::vector<Lines> lines;  ///< lines that a finding may name
};

/// The parts of a diff and the omitted contents.
struct DiffParts {
  std::vector<DiffPart> parts;
  std::vector<std::string> left_out;  ///< for example "logo.png: a binary file"
};

/// Splits a diff into parts of about `max_bytes` (at least 1 KiB) by files and hunks. Splits a hunk
/// only if it exceeds `max_bytes` alone. Small files share a part, and no line is lost. Lines above
/// a quarter of `max_bytes` are truncated and listed in `left_out`.
DiffParts cut_diff(const std::vector<DiffFile>& files, std::size_t max_bytes);

}  // namespace pedro
