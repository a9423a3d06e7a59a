#pragma once

#include <string>

#include "agent/build_run.h"
#include "command.h"
#include "options.h"
#include "sys/http.h"

namespace pedro {

/// Reads the user's task: the issue, then -description and -file, then the last 24 KB of each log.
/// Without any of these, reads standard input unless it is a terminal. `root`: the work tree.
/// `remote`: the repository of an issue number. Errors are kUsage. Reading an issue may use gh, or
/// GitHub over `http`.
Result<BuildTask> read_task(CommandContext& context, const TaskOptions& options,
                            const std::string& root, const std::string& remote, Http& http);

}  // namespace pedro
