#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/line_table.h"

namespace pedro {

/// The pure half of editing: text in, text out. What an edit does not name keeps its bytes. New
/// lines get the line end of the lines they stand among ("\n" or "\r\n"), whatever they came with,
/// and a text that ended with a line end, or without one, still does.
struct EditedText {
  std::string text;
  LineRange lines;  ///< of the new text: what the edit put there; empty where it only removed
  LineRange removed = {};  ///< of the old text: the lines that are no longer there as they were
};

/// Puts `content` in place of the lines `range`; an empty range inserts before `range.first`, where
/// one past the last line appends. `content` is lines: a final line end in it adds nothing, and ""
/// is no line at all. Requires `fits(text, range)`.
EditedText replace_lines(std::string_view text, LineRange range, std::string_view content);

/// Replaces the whole text with `content`. Unchanged lines keep their line ends; new lines get that
/// of their neighbours. Keeps "\r\n" in the content.
std::string replace_whole(std::string_view text, std::string_view content);

/// Whether the range, which may be empty, lies in the text: kRefused, in words for the model, where
/// it does not.
Status fits(const LineTable& table, LineRange range);

/// Whether a range that has to hold a line begins before it ends: kRefused likewise.
Status in_order(LineRange range);

/// Where a text occurs: a range of bytes.
struct Occurrence {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const Occurrence&) const = default;
};

/// All occurrences of `wanted`, which must not be empty, from left to right and not overlapping. A
/// "\n" and a "\r\n" are the same line end here: a model does not see which one a file uses.
std::vector<Occurrence> find_text(std::string_view text, std::string_view wanted);

/// Puts `replacement` in place of every one of `occurrences`, which are ordered and not none.
EditedText replace_occurrences(std::string_view text, const std::vector<Occurrence>& occurrences,
                               std::string_view replacement);

}  // namespace pedro
