#pragma once

#include "command.h"
#include "options.h"

namespace pedro {

/// Runs an agent that only reads. The output of its last phase is the result. Returns the exit
/// code.
int run_read_command(CommandContext& context, const ReadOptions& options);

}  // namespace pedro
