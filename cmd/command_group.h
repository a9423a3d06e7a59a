#pragma once

#include <span>
#include <string>

#include "command.h"

namespace pedro {

/// Declares `entries` as subcommands of `command`, whose help ends with `notes`. The returned
/// function runs the chosen one. Without a subcommand, it prints the help and reports a usage error.
CommandFunction add_commands_below(CLI::App& command, std::span<const CommandEntry> entries,
                                   const std::string& notes = "");

}  // namespace pedro
