#pragma once

#include "command.h"

namespace pedro {

/// The commands below `grammar`. Their output goes to stdout, everything about it to stderr.
CommandFunction add_grammar_tools(CLI::App& command);
CommandFunction add_grammar_from_schema(CLI::App& command);
CommandFunction add_grammar_check(CLI::App& command);
CommandFunction add_grammar_match(CLI::App& command);
CommandFunction add_grammar_explain(CLI::App& command);

/// Puts an example before what the command's help ends with.
void add_example(CLI::App& command, const char* example);

}  // namespace pedro
