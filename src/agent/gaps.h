#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

/// A part of a file that is left out, for a model that was trained to fill gaps.
struct Gap {
  std::size_t line = 0;   ///< where it begins, from 1
  std::size_t begin = 0;  ///< its bytes in the file: from here
  std::size_t end = 0;    ///< to before here, without the last line's end
  std::string before;     ///< the text in front of it, with the indentation of its first line
  std::string after;      ///< the text behind it, with its last line's end; some lines
};

/// The lines of a file that may hold the fault, at most `most`: first those that `clues` name by
/// number, then those of functions that the clues name, then the others, each in the file's order.
/// Blank lines, comments, imports and lone brackets are left out.
std::vector<Gap> line_gaps(const TaskFile& file, const TaskClues& clues, std::size_t most);

/// The functions, head and all, at most `most`: first those that the clues name.
std::vector<Gap> function_gaps(const TaskFile& file, const TaskClues& clues, std::size_t most);

/// The lines of a gap, with the first one's indentation.
std::string whole_lines(std::string_view text, const Gap& gap);
/// The file's text with other lines in place of the gap's.
std::string with_lines(std::string_view text, const Gap& gap, std::string_view lines);

/// The file's text with another text in the gap, without blanks at its end.
std::string fill_gap(std::string_view text, const Gap& gap, std::string_view by);

}  // namespace pedro
