#pragma once

#include "command.h"
#include "options.h"

namespace pedro {

/// Runs an agent that changes files, with `options`. Returns the exit code.
int run_build_command(CommandContext& context, const BuildOptions& options);

}  // namespace pedro
