#pragma once

#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "sys/process.h"
#include "sys/start_process.h"

namespace pedro {

/// Starts a child on these streams and returns its process id; `marker` has to be in its
/// PEDROCLI_RUN.
using ChildStarter =
    std::function<Result<int>(const std::string& marker, const ChildStreams& streams)>;

/// What ProcessRunner::run() promises, whatever way the child is started in.
Result<ProcessResult> run_process(const Command& command, const CancelToken& cancel,
                                  const ChildStarter& start);

}  // namespace pedro
