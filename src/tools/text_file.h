#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/tree_path.h"

namespace pedro {

/// Functions to read and write text files. A UTF-8 byte order mark belongs to the file, not to its
/// text. It is never shown, and edits preserve it.

/// Returns the text of a file. Errors (kRefused): longer than `max_bytes`; UTF-16; binary (NUL in
/// the first 8000 bytes, which is git's rule); unreadable.
Result<std::string> read_text(const WorkTree& tree, const TreePath& file, std::uint64_t max_bytes);

/// Replaces the text of a file, or creates it. Errors: kRefused.
Status write_text(const WorkTree& tree, const TreePath& file, std::string_view text);

/// The size limit for edit tools, and for `read` without a range.
constexpr std::uint64_t kMaxTextBytes = 10u << 20;

/// Text that a tool shows instead of a file's bytes: U+FFFD for unprintable bytes, and notes such
/// as "[... 952 more bytes in this line]". It must not be written to a file.

/// Refuses `content` with such text, unless the text is also in `replaced`.
Status without_placeholders(std::string_view content, std::string_view replaced);

/// Returns a note about text shown as U+FFFD, for the heading of a view. It starts with "; "; "" if
/// there is none.
std::string_view unprintable_note(std::string_view text);

}  // namespace pedro
