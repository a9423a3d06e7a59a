#pragma once

#include "command.h"
#include "command_group.h"

namespace pedro {

/// The commands below `format`. Their output goes to stdout, everything about it to stderr.
CommandFunction add_format_learn(CLI::App& command);
CommandFunction add_format_list(CLI::App& command);
CommandFunction add_format_parse(CLI::App& command);
CommandFunction add_format_render(CLI::App& command);

}  // namespace pedro
