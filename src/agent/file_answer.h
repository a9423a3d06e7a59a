#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pedro {

/// A whole file as a model wrote it.
struct FileAnswer {
  std::string path;     ///< one of the known paths
  std::string content;  ///< lines that end with "\n"; "" for an empty block
};

/// Reads whole files out of a free text: each is a path and then a block between fences of
/// backticks or tildes. Returns known paths only, each once: the first block of a path. O(bytes of
/// the reply).
///
/// A block is named by, in this order:
/// - its info string: "```python:src/a.py", "```src/a.py"
/// - its first line, which is the path, bare or as a comment; the line is left out of the content
/// - the nearest of the four lines before it that names exactly one known path
///
/// A block with nothing but a path counts as a line before the next one.
/// If one path is known and no block has a name, the first block is that file. A fence closes at
/// one of the same character that is at least as long; one that is never closed goes to the end.
/// A block of Markdown may have blocks inside. A "\r" at the end of a line is left out.
std::vector<FileAnswer> read_file_answers(std::string_view reply,
                                          std::span<const std::string> known_paths);

/// The path, and then a fenced block with the content. read_file_answers() reads it back: the fence
/// is longer than every run of backticks inside. Adds a final newline if it is missing.
std::string write_file_answer(std::string_view path, std::string_view content);

}  // namespace pedro
