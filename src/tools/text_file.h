#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/work_tree.h"
#include "tools/tree_path.h"

namespace pedro {

/// Reading and writing of text files. A UTF-8 byte order mark belongs to the file, not to its text:
/// it is never shown and survives changes.

/// The text of a file. Refused: longer than `max_bytes`, UTF-16, or binary (a NUL in the first 8
/// KB, which is git's rule).
Result<std::string> read_text(const WorkTree& tree, const TreePath& file, std::uint64_t max_bytes);

/// Replaces the text of a file, or creates it.
Status write_text(const WorkTree& tree, const TreePath& file, std::string_view text);

/// The bytes of a file without a byte order mark of UTF-8.
std::string_view without_byte_order_mark(std::string_view bytes);

/// Reads files for the edit tools, and for `read` without a range.
constexpr std::uint64_t kMaxTextBytes = 10u << 20;

}  // namespace pedro
