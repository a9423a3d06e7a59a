#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

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
