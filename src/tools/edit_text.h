#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/line_table.h"

namespace pedro {

/// The result of an edit; all edits are pure functions of texts. Bytes outside the edit are
/// unchanged. New lines get the line ends of their neighbors ("\n" or "\r\n"), regardless of their
/// own. The text keeps or lacks a final line end as before.
struct EditedText {
  std::string text;
  LineRange lines;         ///< of the new text: inserted lines; empty for a removal
  LineRange removed = {};  ///< of the old text: lines removed or changed
};

/// Replaces the lines `range` by `content`. An empty range inserts before `range.first`; one past
/// the last line appends. A final line end in `content` adds no line, and "" has no lines. Requires
/// `fits(text, range)`.
EditedText replace_lines(std::string_view text, LineRange range, std::string_view content);

/// Replaces the whole text by `content`. Unchanged lines keep their line ends; new lines get those
/// of their neighbors. Keeps "\r\n" in the content.
std::string replace_whole(std::string_view text, std::string_view content);

/// Returns an error (kRefused, for the model) unless the range, which may be empty, is in the text.
Status fits(const LineTable& table, LineRange range);

/// Returns an error (kRefused, for the model) if the range is empty.
Status in_order(LineRange range);

/// The position of a text, in bytes.
struct Occurrence {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const Occurrence&) const = default;
};

/// Returns all non-overlapping occurrences of `wanted`, which must not be empty, from left to
/// right. Treats "\n" and "\r\n" as equal, because a model cannot see the difference.
std::vector<Occurrence> find_text(std::string_view text, std::string_view wanted);

/// Replaces all `occurrences`, which must be sorted and not empty, by `replacement`.
EditedText replace_occurrences(std::string_view text, const std::vector<Occurrence>& occurrences,
                               std::string_view replacement);

}  // namespace pedro
