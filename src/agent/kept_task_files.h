#pragma once

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

}  // namespace pedro
