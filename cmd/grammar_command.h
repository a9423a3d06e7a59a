#pragma once

#include "command.h"

namespace pedro {

/// Subcommands of `grammar`. Results go to stdout, messages to stderr.
CommandFunction add_grammar_tools(CLI::App& command);
CommandFunction add_grammar_explain(CLI::App& command);

}  // namespace pedro
