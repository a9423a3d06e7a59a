#pragma once

#include <string>
#include <vector>

#include "agent/build_run.h"
#include "blog/material.h"
#include "command.h"
#include "options.h"
#include "secret_setup.h"
#include "sys/http.h"

namespace pedro {

/// Reads the user's task: the issue, then -description and -file, then the last 24 KB of each log.
/// Without any of these, reads standard input unless it is a terminal. `root`: the work tree.
/// `remote`: the repository of an issue number. Errors are kUsage. Reading an issue may use gh, or
/// GitHub over `http`.
Result<BuildTask> read_task(CommandContext& context, const TaskOptions& options,
                            const std::string& root, const std::string& remote, Http& http);

/// Adds a file, the text files below a folder, or the response of an http(s) address. An address
/// has limits of 2 MiB and 30 s, and must be UTF-8 or windows-1252. Adds only the text of an HTML
/// page. The name of an address omits user and password, and a query that may contain a key. A
/// folder has limits of 200 files and 16 MiB; names skipped files on stderr. Error (kUsage):
/// `place` does not exist or is not text.
Status add_material(CommandContext& context, const std::string& place, const Secrets& secrets,
                    Http& http, Material& material);

}  // namespace pedro
