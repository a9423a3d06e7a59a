#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/tree_path.h"

namespace pedro {

/// Functions to read and write text files. A UTF-8 byte order mark belongs to the file, not to its
/// text: it is never shown, and edits preserve it.

/// Returns the text of a file. Errors (kRefused): longer than `max_bytes`; UTF-16; binary (NUL in
/// the first 8000 bytes, which is git's rule); unreadable.
Result<std::string> read_text(const WorkTree& tree, const TreePath& file, std::uint64_t max_bytes);

/// Replaces the text of a file, or creates it. Errors: kRefused.
Status write_text(const WorkTree& tree, const TreePath& file, std::string_view text);

/// The size limit for edit tools, and for `read` without a range.
constexpr std::uint64_t kMaxTextBytes = 10u << 20;

}  // namespace pedro
