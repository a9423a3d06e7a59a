#pragma once

#include <string>

#include "agent/build_run.h"
#include "command.h"
#include "options.h"
#include "sys/http.h"

namespace pedro {

/// What the user asked for as one task: the issue, then what -description and -file add, then the
/// end of each log, its last 24 KB; where none of them was given and standard input is no terminal,
/// what is piped in. `root` is the work
/// tree's; `remote` says whose issue a number is. Errors are kUsage; reading an issue may ask gh
/// and GitHub over `http`.
Result<BuildTask> read_task(CommandContext& context, const TaskOptions& options,
                            const std::string& root, const std::string& remote, Http& http);

}  // namespace pedro
