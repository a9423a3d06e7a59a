#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/task_files.h"

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
/// - its first line if it is the path, bare or as a comment. The content excludes that line.
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

/// One replacement of whole lines, as written by a model:
///
///     File: cart.py
///     Replace:
///     ```
///     old lines
///     ```
///     With:
///     ```
///     new lines
///     ```
struct LineEdit {
  std::string path;
  std::string old_lines;  ///< each with its "\n"
  std::string new_lines;  ///< the same; "" deletes
};

/// Returns a fence for these files: at least three backticks, more than any run of them.
std::string edit_fence(std::span<const TaskFile> files);

/// Returns the GBNF of a reply with one to `max_edits` such edits. `File:` is one of the files. The
/// old lines are any run of its whole lines, so that the edit applies. O(bytes of the files).
std::string edit_grammar(std::span<const TaskFile> files, int max_edits);

/// Returns the GBNF of one fenced block of one to `max_lines` lines.
std::string block_grammar(std::string_view fence, int max_lines);

/// Returns the edits in a reply. Skips other text and incomplete edits.
std::vector<LineEdit> read_edits(std::string_view reply, std::string_view fence);

/// Replaces one occurrence of the old lines; `occurrence` counts from 0. Returns nullopt if it does
/// not exist. Adds a missing final newline.
std::optional<std::string> apply_edit(std::string_view text, const LineEdit& edit,
                                      std::size_t occurrence);

}  // namespace pedro
