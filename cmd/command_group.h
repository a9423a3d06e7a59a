#pragma once

#include <span>

#include "command.h"

namespace pedro {

/// Declares the commands below `command`; the result runs the one that was given. Without one the
/// help is printed, which is a mistake of usage.
CommandFunction add_commands_below(CLI::App& command, std::span<const CommandEntry> entries);

/// Puts an example before what the command's help ends with.
void add_example(CLI::App& command, const char* example);

}  // namespace pedro
