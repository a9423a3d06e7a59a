#pragma once

#include <string>

#include "command.h"
#include "config/load.h"
#include "sys/sandbox.h"

namespace pedro {

/// The sandbox around the work tree at `tree`, as the configuration wants it. Where it is off, or
/// is not as tight as it should be, that is said. Error (kConfig): nothing here can confine
/// commands.
Result<Sandbox> open_sandbox(const CommandContext& context, const Config& config,
                             const std::string& tree);

/// What the command called "sandbox" and a job begin with: one line, and one for each gap.
std::string sandbox_text(const Sandbox& sandbox);

}  // namespace pedro
