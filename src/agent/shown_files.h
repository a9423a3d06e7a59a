#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/executor.h"
#include "agent/task_files.h"

namespace pedro {

/// Finds the files of a task (find_task_files) for a prompt. Logs their texts, since a resumed job
/// must send the model the same prompt. Omits files with a secret: a masked text cannot be written
/// back.
Result<std::vector<TaskFile>> kept_task_files(const ExecutorParts& parts, const TaskClues& clues);

/// Returns the limit of the files in a prompt, in tokens: a share (0 to 1) of the context window.
long long file_tokens(const ModelInfo& model, double share);

/// The files of a task as a prompt shows them, with line numbers.
///
///     const ShownFiles shown = show_files(files, clues, room_tokens, count);
///     if (shown.is_complete) ...  // the model need not search the place of the change
struct ShownFiles {
  std::string text;                ///< the files between marks; "" if no file fits
  std::vector<std::string> whole;  ///< paths of files shown completely
  bool is_complete = false;        ///< clues point to the files, and all likely ones are complete
};

/// Shows the likely files completely, followed by tests, if they fit in `room` tokens. If one does
/// not fit, shows the functions that the clues name and the first lines of all definitions. `count`
/// returns the number of tokens of a text.
ShownFiles show_files(const std::vector<TaskFile>& files, const TaskClues& clues, long long room,
                      const std::function<long long(std::string_view)>& count);

}  // namespace pedro
