#pragma once

#include <string>

#include "base/json.h"
#include "command.h"

namespace pedro {

/// Formats a line of JSON in ASCII: text from a model or a server must not control a terminal.
std::string to_ascii_line(const Json& json);

/// Subcommands of `format`. Results go to stdout, messages to stderr.
CommandFunction add_format_learn(CLI::App& command);
CommandFunction add_format_parse(CLI::App& command);
CommandFunction add_format_render(CLI::App& command);

}  // namespace pedro
