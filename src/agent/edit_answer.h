#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

/// One replacement of whole lines, as a model wrote it:
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

/// Returns a fence for these files: at least three backquotes, longer than every run in them.
std::string edit_fence(std::span<const TaskFile> files);

/// GBNF of a reply that is one to `max_edits` such edits. `File:` is one of the files, and the old
/// lines are any run of whole lines of it, so that the edit applies. O(bytes of the files).
std::string edit_grammar(std::span<const TaskFile> files, int max_edits);

/// GBNF of one fenced block of one to `max_lines` lines.
std::string block_grammar(std::string_view fence, int max_lines);

/// GBNF of one fenced block that has one of these lines.
std::string choice_grammar(std::string_view fence, std::span<const std::string> lines);

/// The edits in a reply. Skips text of another form and incomplete edits.
std::vector<LineEdit> read_edits(std::string_view reply, std::string_view fence);

/// Replaces the occurrence of the old lines with index `occurrence`, from 0. Returns nothing if
/// there is no such occurrence.
std::optional<std::string> apply_edit(std::string_view text, const LineEdit& edit,
                                      std::size_t occurrence);

}  // namespace pedro
