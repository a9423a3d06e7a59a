#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A whole file written by a model.
struct FileAnswer {
  std::string path;     ///< one of the known paths
  std::string content;  ///< lines that end with "\n"; "" for an empty block
};

/// Extracts whole files from free text. Each is a path followed by a block between fences of
/// backticks or tildes. Returns only known paths, and only the first block of each. O(bytes of the
/// reply).
///
/// A block's name is, in this order:
/// - its info string: "```python:src/a.py", "```src/a.py"
/// - its first line if it is the path, bare or as a comment; the content excludes that line
/// - the nearest of the four lines before it that names exactly one known path
///
/// A block of at most four lines that ends with a path counts as a line before the next block. If
/// one path is known and no block has a name, the first block is that file. A fence is closed by a
/// fence of the same character that is at least as long. An unclosed fence extends to the end.
/// Markdown blocks may contain nested blocks. Removes "\r" at line ends. Skips a unified diff
/// unless the file is one.
std::vector<FileAnswer> read_file_answers(std::string_view reply,
                                          std::span<const std::string> known_paths);

/// Returns the path, followed by a fenced block with the content, for read_file_answers(). The
/// fence is longer than every run of backticks inside. Adds a missing final newline.
std::string write_file_answer(std::string_view path, std::string_view content);

}  // namespace pedro
