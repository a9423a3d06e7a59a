#pragma once

#include <string>
#include <string_view>

#include "tools/edit_text.h"
#include "tools/tool.h"
#include "tools/tree_path.h"

namespace pedro {

/// What `file` and `code_edit` share: an edit of one file, and what the model is told about it.

/// Shows the lines under a heading "PATH (lines 1-9 of 20)", which also reports characters shown as
/// U+FFFD.
std::string show_lines(ToolContext& context, const TreePath& file, const LineTable& table,
                       LineRange lines);

/// Refuses content with placeholders that `replaced` lacks; see placeholder.h.
Status may_write(const TreePath& file, std::string_view content, std::string_view replaced);

/// Refuses an edit of lines that changed since the model saw them, and shows them.
ToolResult refuse_changed(ToolContext& context, const TreePath& file, const LineTable& table,
                          LineRange lines);

/// Writes `edited` over `file`, whose bytes were `before`, and answers "PATH: WHAT" with the edited
/// lines and three on either side, numbered as they are now. An edit that changes no byte is
/// refused: it is a mistake, and no evidence of work.
Result<ToolResult> write_edit(ToolContext& context, const TreePath& file, std::string_view before,
                              const EditedText& edited, std::string_view what);

enum class RepeatedText { kRefuse, kReplaceAll };

/// Replaces `old_text` in the file at `path`. Text that does not occur is refused with the lines
/// closest to it; text that occurs more than once is refused with their numbers, unless `repeats`
/// says to replace all.
Result<ToolResult> replace_in_file(ToolContext& context, std::string_view path,
                                   std::string_view old_text, std::string_view new_text,
                                   RepeatedText repeats);

}  // namespace pedro
