#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/task_files.h"

namespace pedro {

/// The files of a task as a prompt shows them, with line numbers.
///
///     const ShownFiles shown = show_files(files, clues, room_tokens, count);
///     if (shown.is_complete) ...  // the model need not search the place of the change
struct ShownFiles {
  std::string text;                ///< the files between marks; "" if no file fits
  std::vector<std::string> whole;  ///< paths of files shown completely
  bool is_complete = false;        ///< clues point to the files, and all likely ones are complete
};

/// Shows the likely files completely, followed by tests, if they fit in `room` tokens. A likely
/// file that does not fit is shown in part: functions that the clues name, and first lines of all
/// definitions. `count` returns the number of tokens of a text.
ShownFiles show_files(const std::vector<TaskFile>& files, const TaskClues& clues, long long room,
                      const std::function<long long(std::string_view)>& count);

}  // namespace pedro
