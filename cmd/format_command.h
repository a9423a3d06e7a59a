#pragma once

#include <string>

#include "base/json.h"
#include "command.h"
#include "command_group.h"

namespace pedro {

/// A line of JSON in ASCII: what a model or a server wrote must not steer a terminal.
std::string to_ascii_line(const Json& json);

/// The commands below `format`. Their output goes to stdout, everything about it to stderr.
CommandFunction add_format_learn(CLI::App& command);
CommandFunction add_format_list(CLI::App& command);
CommandFunction add_format_parse(CLI::App& command);
CommandFunction add_format_render(CLI::App& command);

}  // namespace pedro
