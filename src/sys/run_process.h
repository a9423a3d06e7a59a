#pragma once

#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/process.h"
#include "sys/start_process.h"

namespace pedro {

/// Starts a child on these streams and returns its process id. The child's PEDROCLI_RUN must
/// contain `marker`.
using ChildStarter =
    std::function<Result<int>(const std::string& marker, const ChildStreams& streams)>;

/// Implements ProcessRunner::run() for any way of starting the child. Kills a command with more
/// than `max_threads` threads in all its processes, within a tenth of a second. 0: no limit. That
/// is the only limit that binds root.
Result<ProcessResult> run_process(const Command& command, const CancelToken& cancel,
                                  const ChildStarter& start, std::size_t max_threads = 0);

}  // namespace pedro
