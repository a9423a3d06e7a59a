#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

/// Whole lines of a file that may contain the fault.
struct Suspect {
  std::size_t begin = 0;  ///< byte offset of the first line
  std::size_t end = 0;    ///< byte offset after the last line, without its line end
  bool is_head = false;   ///< begins with the head of a function
  bool is_stub = false;   ///< a function that the clues name and whose body is to be written
  /// The text of the innermost function around a line, else of the file. Borrowed from the file.
  std::string_view function = {};
};

/// Returns single lines, at most `most`. Lines that `clues` name by number are first, followed by
/// lines of named functions and all others. Each group is in file order. Omits blank lines,
/// comments, imports and lone brackets.
std::vector<Suspect> suspect_lines(const TaskFile& file, const TaskClues& clues, std::size_t most);

/// Returns whole functions, at most `most`. Functions that the clues name are first, and of these
/// the stubs.
std::vector<Suspect> suspect_functions(const TaskFile& file, const TaskClues& clues,
                                       std::size_t most);

}  // namespace pedro
