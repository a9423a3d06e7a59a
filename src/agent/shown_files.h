#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

/// The files of a task as a prompt shows them, with line numbers.
///
///     const ShownFiles shown = show_files(files, clues, room_tokens, count);
///     if (shown.is_complete) ...  // the model need not look for the place of the change
struct ShownFiles {
  std::string text;                ///< the files between marks; "" if no file fits
  std::vector<std::string> whole;  ///< paths of files that are shown from first to last line
  bool is_complete = false;        ///< something points to the files, and all likely ones are whole
};

/// Shows the likely files whole, and then tests, if they fit in `room` tokens. Of a likely file
/// that does not fit, shows the functions that the clues name and the first lines of all
/// definitions. `count` counts the tokens of a text.
ShownFiles show_files(const std::vector<TaskFile>& files, const TaskClues& clues, long long room,
                      const std::function<long long(std::string_view)>& count);

}  // namespace pedro
