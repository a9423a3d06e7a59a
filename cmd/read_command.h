#pragma once

#include "command.h"
#include "options.h"

namespace pedro {

/// Runs an agent that only reads and whose last phase's output is the result; the exit code.
int run_read_command(CommandContext& context, const ReadOptions& options);

}  // namespace pedro
