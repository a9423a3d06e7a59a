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

/// Implements ProcessRunner::run() for any way of starting the child.
Result<ProcessResult> run_process(const Command& command, const CancelToken& cancel,
                                  const ChildStarter& start);

}  // namespace pedro
