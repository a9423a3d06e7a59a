#pragma once

#include "command.h"

namespace pedro {

/// Prints the first screen of `pedrocli` without a command: its findings in this folder, and three
/// commands to type next. In a project: server, model, window, checks and open jobs. Runs no
/// checks, and waits at most 0.3 s for servers. Returns the exit code.
int show_first_screen(CommandContext& context);

}  // namespace pedro
