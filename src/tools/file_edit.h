#pragma once

#include <string>
#include <string_view>

#include "tools/edit_text.h"
#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {

/// Shared parts of the tools `file` and `code_edit`: an edit of one file, and its report.

/// Shows the lines with a heading "PATH (lines 1-9 of 20)", which also reports characters shown as
/// U+FFFD.
std::string show_lines(ToolContext& context, const TreePath& file, const LineTable& table,
                       LineRange lines);

/// Refuses content with placeholders that `replaced` does not contain; see without_placeholders().
Status may_write(const TreePath& file, std::string_view content, std::string_view replaced);

/// Refuses an edit of lines that changed since the model saw them, and shows them.
ToolResult refuse_changed(ToolContext& context, const TreePath& file, const LineTable& table,
                          LineRange lines);

/// Writes `edited` to `file`, whose bytes were `before`. Answers "PATH: WHAT" and the edited lines
/// with three lines of context, under their new numbers. Refuses an edit that changes nothing: it
/// is a mistake, and not evidence of work.
Result<ToolResult> write_edit(ToolContext& context, const TreePath& file, std::string_view before,
                              const EditedText& edited, std::string_view what);

enum class RepeatedText { kRefuse, kReplaceAll };

/// Replaces `old_text` in the file at `path`. If it does not occur, refuses with the closest lines.
/// If it occurs more than once, refuses with the line numbers, unless `repeats` is kReplaceAll.
Result<ToolResult> replace_in_file(ToolContext& context, std::string_view path,
                                   std::string_view old_text, std::string_view new_text,
                                   RepeatedText repeats);

}  // namespace pedro
