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
  bool is_head = false;   ///< the first line of a function
};

/// Single lines, at most `most`. Lines that `clues` name by number come first, then lines of
/// functions that the clues name, then all others, each in file order. Leaves out blank lines,
/// comments, imports and lone brackets.
std::vector<Suspect> suspect_lines(const TaskFile& file, const TaskClues& clues, std::size_t most);

/// Whole functions, at most `most`. Functions that the clues name come first.
std::vector<Suspect> suspect_functions(const TaskFile& file, const TaskClues& clues,
                                       std::size_t most);

}  // namespace pedro
